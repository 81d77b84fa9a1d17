# The program behind python.data: functions that call each other to some depth. It runs until perf record ends it.
def make(i):
    source = f"def named_{i}(n, depth):\n t = n\n for j in range(20): t = (t * {2 * i + 3} + j) & 0xffffff\n" \
             f" return t ^ functions[(t >> 8) % 300](t, depth - 1) if depth else t\n"
    exec(source, globals())
    return globals()[f"named_{i}"]


functions = [make(i) for i in range(300)]
n = 0
while True:
    functions[n % 300](n, 4 + n % 9)
    n += 1
