# Leaves in golangci-lint's list of all linters those that .golangci.yml names: the hundred
# others, and what they are made of, need not be fetched and compiled. Which they are is
# read from the configuration, so a linter that it names and nobody built is one that
# golangci-lint does not know, and says so.
#
# usage: awk -f tools/linters.awk .golangci.yml builder_linter.go
BEGIN { named["golinters"] } # what says that a package does not compile
NR == FNR {
	if ($1 == "-" && $2 ~ /^[a-z0-9_]+$/)
		named[$2]
	next
}
# An import is a line; a linter is a call of linter.NewConfig and the lines up to the next blank one.
/^\t".*\/golinters\/[a-z0-9_]+"$/ {
	name = $0
	gsub(/^.*\/|"$/, "", name)
	if (!(name in named))
		next
}
/^\t\tlinter\.NewConfig\(/ {
	name = $0
	sub(/^.*linter\.NewConfig\(/, "", name)
	sub(/\..*/, "", name)
	skip = !(name in named)
}
/^$/ || /^\t}, nil$/ { skip = 0 }
!skip { print }
