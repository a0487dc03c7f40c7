# Adds up what `make battery` logged: a line for each fault, and one for all.
# A line is "... battery: F5/Erase: 12 of 12 survived, 0 lost acknowledged writes".
/ battery: [FG]/ {
	sub(/^.* battery: /, "")
	name = $1
	sub(/:$/, "", name)
	sub(/\/.*/, "", name)
	survived[name] += $2; cases[name] += $4; lost[name] += $6
	allSurvived += $2; allCases += $4; allLost += $6
}
END {
	sort = "sort -V"
	for (name in cases) printf "%-16s %9d of %9d survived, %d lost acknowledged writes\n", name, survived[name], cases[name], lost[name] | sort
	close(sort)
	printf "%-16s %9d of %9d survived, %d lost acknowledged writes\n", "all", allSurvived, allCases, allLost
	exit allLost > 0 || allSurvived < allCases || allCases == 0
}
