# shellcheck shell=sh
# Two ClickHouse servers on loopback, two shards of the cluster "fleet", from directories of their own: no root, no service.
# clickhouse_start DIR makes $shard1 and $shard2, "127.0.0.1:PORT" of their HTTP interfaces; clickhouse_stop ends them.

clickhouse_config() { # DIR NUMBER BASE
	mkdir -p "$1/data" "$1/tmp" "$1/files"
	cat >"$1/users.xml" <<-EOF
		<yandex>
		<profiles><default><max_memory_usage>8000000000</max_memory_usage><allow_experimental_low_cardinality_type>1</allow_experimental_low_cardinality_type></default></profiles>
		<quotas><default/></quotas>
		<users>
		<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
		<team><password>se&amp;cret '1</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></team>
		</users>
		</yandex>
	EOF
	cat >"$1/config.xml" <<-EOF
		<yandex>
		<logger><level>warning</level><log>$1/log</log><errorlog>$1/errors</errorlog></logger>
		<listen_host>127.0.0.1</listen_host>
		<http_port>$(($3 + $2))</http_port><tcp_port>$(($3 + $2 + 10))</tcp_port><interserver_http_port>$(($3 + $2 + 20))</interserver_http_port>
		<path>$1/data/</path><tmp_path>$1/tmp/</tmp_path><user_files_path>$1/files/</user_files_path>
		<users_config>$1/users.xml</users_config>
		<default_profile>default</default_profile><default_database>default</default_database>
		<mark_cache_size>500000000</mark_cache_size>
		<remote_servers><fleet>
		<shard><replica><host>127.0.0.1</host><port>$(($3 + 11))</port></replica></shard>
		<shard><replica><host>127.0.0.1</host><port>$(($3 + 12))</port></replica></shard>
		</fleet></remote_servers>
		</yandex>
	EOF
}

clickhouse_server() { # DIR NUMBER BASE
	clickhouse_config "$@"
	(cd "$1" && exec clickhouse-server --config-file="$1/config.xml" >"$1/out" 2>&1) &
	echo $! >"$1/pid"
}

# clickhouse_client SHARD [QUERY]: of DATABASE; without a query those on standard input.
clickhouse_client() {
	at=$((${1#*:} + 10))
	shift
	clickhouse-client --host 127.0.0.1 --port $at ${database:+--database "$database"} --multiquery ${1:+--query "$1"}
}

# 0: it answers.
clickhouse_answers() { # SHARD
	wanted=$(($(date +%s) + 60))
	while [ "$(date +%s)" -lt $wanted ]; do
		clickhouse_client "$1" 'SELECT 1' >/dev/null 2>&1 && return
		sleep 0.2
	done
	return 1
}

clickhouse_start() { # DIR
	base=$((20000 + $$ % 400 * 30)) # groups run beside each other, as processes whose numbers are close
	shard1=127.0.0.1:$((base + 1)) shard2=127.0.0.1:$((base + 2))
	clickhouse_server "$1/1" 1 $base && clickhouse_server "$1/2" 2 $base && clickhouse_answers $shard1 && clickhouse_answers $shard2
}

clickhouse_stop() { # DIR
	for n in 1 2; do
		[ ! -s "$1/$n/pid" ] || kill -9 "$(cat "$1/$n/pid")" 2>/dev/null
	done
}
