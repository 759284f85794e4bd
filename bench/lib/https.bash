# shellcheck shell=bash disable=SC2154
# A web server over https on the loopback interface, for the measurements.

# serve_https DIRECTORY: serves it with nginx; sets `port` and `authority`, and logs "PATH BYTES" to $work/access.
# The caller has set `work`, and ends the server whose number is in $work/nginx.pid.
serve_https() {
    authority=$work/ca.pem
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=IP:127.0.0.1 -keyout "$work/key.pem" -out "$authority" 2>/dev/null
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    cat >"$work/nginx.conf" <<CONF
pid $work/nginx.pid; error_log $work/error.log; worker_processes 1;
events { worker_connections 16; }
http {
    client_body_temp_path $work; proxy_temp_path $work; fastcgi_temp_path $work; uwsgi_temp_path $work; scgi_temp_path $work;
    log_format sent '\$uri \$bytes_sent'; access_log $work/access sent;
    server {
        listen 127.0.0.1:$port ssl; root $1;
        ssl_certificate $authority; ssl_certificate_key $work/key.pem;
    }
}
CONF
    /usr/sbin/nginx -c "$work/nginx.conf" 2>/dev/null
}

# field NAME: the last number of that name in JSON objects, one per line, on standard input.
field() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" | tail -n 1; }
