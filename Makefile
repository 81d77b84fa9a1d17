# pdtool. `make` builds build/pdtool; see README.md for the other targets.
CC ?= cc
BUILD ?= build
Q := $(if $(V),,@)
PREFIX ?= /usr/local
VERSION := $(shell sed -n 's/^\#\# \([0-9.]*\).*/\1/p' NEWS.md 2>/dev/null | head -n 1)

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla
CFLAGS ?= -O2 -g
LIBS := libarchive libelf libzstd
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE -DPDTOOL_VERSION='"$(or $(VERSION),0)"' -I. $(WARN) $(CFLAGS) -pthread $(shell pkg-config --cflags $(LIBS))
LDLIBS = $(shell pkg-config --libs $(LIBS)) -liberty -pthread

ifdef WERROR
ALL_CFLAGS += -Werror
endif
ifdef SAN
ALL_CFLAGS += -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -Wno-format-truncation
LDFLAGS += -fsanitize=address,undefined
endif

LIB_SRC := $(wildcard parser/*.c parser/*/*.c formats/*.c formats/*/*.c analyzers/*.c analyzers/*/*.c)
CLI_SRC := $(wildcard cli/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/%.o)

$(BUILD)/pdtool: $(CLI_OBJ) $(LIB_OBJ)
	$(Q)echo "  LD  $@"; $(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(Q)echo "  CC  $<"; $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d)

clean:
	rm -rf $(BUILD)

.PHONY: clean
