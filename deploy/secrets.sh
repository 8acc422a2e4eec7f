#!/bin/sh
# Makes the secrets that compose.yaml mounts; what is there stays. It runs as root in the image of Watchword:
#   docker compose run --rm keys
set -eu
umask 077
folder=$1
log_name=$2
chmod 0700 "$folder"

random() {
	head -c 32 /dev/urandom | base64
}

# Writes standard input to a file, whole or not at all, and for one user alone.
keep() {
	if [ -e "$folder/$1" ]; then
		cat >/dev/null
	else
		cat >"$folder/$1.new"
		# A program before the pipe that fails has written nothing.
		if [ ! -s "$folder/$1.new" ]; then
			rm "$folder/$1.new"
			echo "No $folder/$1 was made." >&2
			exit 1
		fi
		chown "$2" "$folder/$1.new"
		chmod "$3" "$folder/$1.new"
		mv "$folder/$1.new" "$folder/$1"
		echo "Made $folder/$1."
	fi
}

# Watchword's user is 10001, and Grafana's 472. Nobody else gets past the folder.
echo "1:$(random)" | keep code.key 10001 0400
random | keep receipt.key 10001 0400
watchword audit new-key "$log_name" | keep log.key 10001 0400
random | keep admin.token 10001 0400
echo "*:*:watchword:watchword:$(random)" | keep pgpass 10001 0400
random | keep postgres.password 0 0400
random | keep grafana.password 472 0400
# The database's first start runs this file, as its own user.
password=$(cut -d: -f5 "$folder/pgpass")
keep role.sql 0 0444 <<SQL
CREATE ROLE watchword LOGIN PASSWORD '$password';
CREATE DATABASE watchword OWNER watchword TEMPLATE template0 ENCODING 'UTF8';
SQL
