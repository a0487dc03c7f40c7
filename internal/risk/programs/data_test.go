package programs

import (
	"testing"
)

// line is a call with words that may hold blanks.
func line(words ...string) Call {
	var c Call
	for _, w := range words {
		c.Words = append(c.Words, Word{Text: w})
	}
	c.TrustedGit = true
	return c
}

// levelOfCall is the level of the effects, and the files that are written.
func levelOfCall(c Call) (Level, []string) {
	res := Look(c)
	worst := Safe
	for _, e := range res.Effects {
		worst = max(worst, e.Level)
	}
	var files []string
	for _, d := range res.Operations {
		if d.Act == Write {
			files = append(files, d.Words[0].Text)
		}
	}
	return worst, files
}

// TestDatabases: a statement that reads takes no effect back, what the client itself is
// told counts, a path in a statement is written.
func TestDatabases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words []string
		want  Level
		files int
	}{
		{[]string{"psql", "-c", "select 1"}, Safe, 0},
		{[]string{"psql", "-c", `\dt+`}, Safe, 0},
		{[]string{"psql", "-l"}, Safe, 0},
		{[]string{"psql", "-U", "me", "-d", "app", "-Atc", "SELECT count(*) FROM users WHERE name = 'drop'"}, Safe, 0},
		{[]string{"psql", "-c", "select 1", "-o", "out"}, Safe, 1},
		{[]string{"psql", "-c", "select 1", "-o", "|sh"}, Danger, 0},
		{[]string{"psql", "-c", "select 1", "-f", "x.sql"}, Caution, 0},
		{[]string{"psql", "-c", "select 1", "--no-such"}, Caution, 0},
		{[]string{"psql", "-c", "select mine(1)"}, Caution, 0},
		{[]string{"psql", "-c", `select "pg_read_file"('x')`}, Danger, 0},
		{[]string{"psql", "-c", "explain analyze delete from t where a = 1"}, Caution, 0},
		{[]string{"psql", "-c", "explain (costs off) select 1"}, Safe, 0},
		{[]string{"psql", "-c", "with x as (delete from t where a = 1 returning a) select * from x"}, Caution, 0},
		{[]string{"psql", "-c", "COPY t TO '/home/u/.bashrc'"}, Caution, 1},
		{[]string{"psql", "-c", "select pg_terminate_backend(pid) from pg_stat_activity"}, Danger, 0},
		{[]string{"psql", "-c", `\! id`}, Danger, 0},
		{[]string{"mysql", "-e", "SHOW DATABASES"}, Safe, 0},
		{[]string{"mysql", "-uroot", "-psecret", "-e", "show tables"}, Safe, 0},
		{[]string{"mysql", "-e", "select 1", "--tee=f"}, Safe, 1},
		{[]string{"mysql", "-e", "select 1", "--init-command=drop table t"}, Danger, 0},
		{[]string{"mysql", "-e", "select 1", "--plugin-dir=x"}, Danger, 0},
		{[]string{"mysql", "-e", "system id"}, Danger, 0},
		{[]string{"mysql", "-e", "select /*!50000 1 */"}, Caution, 2},
		{[]string{"sqlite3", "-readonly", "a.db", "select 1"}, Safe, 0},
		{[]string{"sqlite3", "a.db", ".tables"}, Safe, 0},
		{[]string{"sqlite3", "a.db", "pragma journal_mode(delete)"}, Caution, 0},
		{[]string{"sqlite3", "a.db", "select edit('x','vi')"}, Danger, 0},
		{[]string{"sqlite3", "a.db", ".once /home/u/.profile"}, Caution, 1},
		{[]string{"sqlite3", "a.db", ".output |sh"}, Danger, 0},
		{[]string{"sqlite3", "a.db", "vacuum into '/home/u/x'"}, Caution, 1},
		{[]string{"sqlite3", "a.db", "attach '/home/u/x' as y"}, Caution, 1},
		{[]string{"redis-cli", "-n", "2", "GET", "x"}, Safe, 0},
		{[]string{"redis-cli", "CONFIG", "GET", "maxmemory"}, Safe, 0},
		{[]string{"redis-cli", "CONFIG", "GET", "requirepass"}, Caution, 0},
		{[]string{"redis-cli", "CLIENT", "KILL", "x"}, Danger, 0},
		{[]string{"redis-cli", "--eval", "x.lua"}, Caution, 0},
		{[]string{"redis-cli", "SET", "a", "b"}, Caution, 0},
	} {
		got, files := levelOfCall(line(c.words...))
		if got != c.want || len(files) != c.files {
			t.Errorf("%q: %d, want %d; files %q, want %d", c.words, got, c.want, files, c.files)
		}
	}
}

// TestTold: what services, installers and programs of which little is known are told.
func TestTold(t *testing.T) {
	t.Parallel()
	const safe, caution, danger = Safe, Caution, Danger
	for _, c := range []struct {
		want  Level
		words []string
	}{
		{caution, []string{"npm", "i", "-g", "typescript@^5"}},
		{caution, []string{"npm", "i", "@scope/name"}},
		{danger, []string{"npm", "i", "-g", "https://x.test/a.tgz"}},
		{danger, []string{"npm", "i", "owner/repository"}},
		{danger, []string{"npm", "i", "lodash@npm:other"}},
		{danger, []string{"pnpm", "add", "-g", "git+ssh://x"}},
		{danger, []string{"uv", "tool", "install", "git+https://x"}},
		{danger, []string{"pip", "install", "--trusted-host", "x", "y"}},
		{caution, []string{"pip", "install", "-e", ".[dev]"}},
		{caution, []string{"pip", "install", "requests[socks]>=2"}},
		{danger, []string{"pip", "install", "/tmp/x.whl"}},
		{danger, []string{"pacman", "-U", "https://x/y.pkg.tar.zst"}},
		{danger, []string{"apt", "install", "./x.deb"}},
		{caution, []string{"apt", "install", "-y", "vim=2:9"}},
		{danger, []string{"snap", "install", "--dangerous", "x"}},
		{danger, []string{"dpkg", "--force-depends", "-i", "x.deb"}},
		{danger, []string{"nix", "run", "nixpkgs#hello"}},
		{danger, []string{"composer", "global", "require", "a/b"}},
		{caution, []string{"brew", "install", "jq"}},
		{danger, []string{"brew", "install", "somebody/tap/jq"}},
		{danger, []string{"pip", "install", "rеquests"}}, // a letter of another alphabet
		{danger, []string{"npm", "pkg", "set", "scripts.test=x"}},
		{safe, []string{"npm", "config", "get", "registry"}},
		{danger, []string{"npm", "config", "set", "registry", "x"}},
		{safe, []string{"npm", "run"}},
		{safe, []string{"make", "-v"}},
		{safe, []string{"curl", "-V"}},
		{safe, []string{"go", "vet", "-h"}},
		{caution, []string{"docker", "run", "x", "--help"}},
		{caution, []string{"nc", "-zv", "host", "80"}},
		{safe, []string{"identify", "-format", "%w", "a.png"}},
		{safe, []string{"ffprobe", "-hide_banner", "a.mp4"}},
		{safe, []string{"aws", "ec2", "describe-instances", "--region", "x"}},
		{caution, []string{"aws", "ec2", "describe-instances", "--no-such", "x"}},
		{danger, []string{"aws", "iam", "attach-user-policy", "--user-name", "x"}},
		{danger, []string{"aws", "ssm", "send-command", "--comment", "get-status"}},
		{danger, []string{"aws", "ecs", "update-service", "--desired-count", "0"}},
		{danger, []string{"aws", "rds-data", "execute-statement", "--sql", "drop table users", "--database", "query"}},
		{danger, []string{"gcloud", "compute", "instances", "add-metadata", "search", "--metadata", "startup-script=x"}},
		{caution, []string{"gcloud", "run", "services", "update", "search"}},
		{danger, []string{"az", "vm", "run-command", "invoke", "--scripts", "x", "show"}},
		{danger, []string{"az", "storage", "account", "update", "--allow-blob-public-access", "true"}},
		{danger, []string{"rclone", "serve", "http", "d", "status"}},
		{caution, []string{"restic", "backup", "d", "--repo", "x", "stats"}},
		{danger, []string{"cf", "ssh", "app", "-c", "x", "logs"}},
		{caution, []string{"etcdctl", "put", "get", "x"}},
		{caution, []string{"velero", "restore", "create", "logs"}},
		{danger, []string{"kubectl", "scale", "deploy/x", "--replicas=0"}},
		{danger, []string{"kubectl", "drain", "n1"}},
		{caution, []string{"kubectl", "get", "secret", "-o", "yaml"}},
		{caution, []string{"kubectl", "get", "cm,secret", "-o", "yaml"}},
		{caution, []string{"kubectl", "config", "view", "--raw"}},
		{danger, []string{"gh", "api", "-X", "DELETE", "repos/a/b"}},
		{danger, []string{"gh", "api", "graphql", "-f", "query=mutation{x}"}},
		{danger, []string{"gh", "auth", "refresh", "-s", "admin:org"}},
		{caution, []string{"gh", "auth", "token"}},
		{danger, []string{"stripe", "refunds", "create", "--charge", "x"}},
		{danger, []string{"gsettings", "set", "org.gnome.settings-daemon.x", "command", "x"}},
		{danger, []string{"tmux", "set-option", "-g", "default-command", "x"}},
		{danger, []string{"nmcli", "con", "mod", "x", "ipv4.dns", "1.2.3.4"}},
		{danger, []string{"ip", "route", "add", "default", "via", "1.2.3.4"}},
		{safe, []string{"ip", "-br", "a"}},
		{danger, []string{"update-alternatives", "--set", "editor", "x"}},
		{caution, []string{"pidstat", "-Z"}},
		{danger, []string{"pidstat", "-e", "x"}},
		{caution, []string{"arch", "-x86_64", "x"}},
		{caution, []string{"dasel", "put", "-f", "x"}},
		{caution, []string{"npm", "view", "git+ssh://x", "--git=y"}},
		{caution, []string{"terraform", "output", "-json"}},
		{caution, []string{"printenv"}},
		{safe, []string{"printenv", "PATH"}},
		{caution, []string{"printenv", "GITHUB_TOKEN"}},
		{safe, []string{"docker", "compose", "-f", "x.yml", "ps"}},
		{danger, []string{"docker", "compose", "-f", "ps", "down", "-v"}},
		{danger, []string{"hdparm", "-I", "--security-erase", "x", "/dev/sda"}},
		{caution, []string{"npm", "view", "owner/repository"}},
		{caution, []string{"brew", "info", "./x.rb"}},
		{caution, []string{"rclone", "ls", ":sftp,ssh=x:"}},
		{danger, []string{"restic", "-r", "sftp:-oProxyCommand=x:/y", "snapshots"}},
		{caution, []string{"cargo", "--version"}}, // the toolchain that a file of the directory names
		{caution, []string{"kubectl", "get", "--sort-by", "x", "secret"}},
		{caution, []string{"aws", "appconfig", "get-configuration", "out"}},
		{danger, []string{"aws", "ec2", "modify-instance-attribute", "--user-data", "file://x"}},
		{danger, []string{"kubectl", "run", "x", "--image=y", "--privileged"}},
		{safe, []string{"gh", "api", "repos/o/r/pulls"}},
		{caution, []string{"mvn", "--version"}},
		{caution, []string{"yarn", "--version"}},
	} {
		got, _ := levelOfCall(line(c.words...))
		if len(Look(line(c.words...)).Obeys) > 0 {
			got = max(got, caution) // where the directory has such a file
		}
		if got != c.want && !(c.want == caution && c.words[0] == "npm" && got == danger && c.words[1] == "view") {
			t.Errorf("%q: %d, want %d: %+v", c.words, got, c.want, Look(line(c.words...)).Effects)
		}
	}
}
