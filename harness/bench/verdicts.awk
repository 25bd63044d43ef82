# verdicts.awk - the warnings of verdict files, a line each:
# kind TAB checkers TAB function or variable TAB verdict TAB impact
#
# Reads what heddle writes: a key a line, in the order of results/README.md.

function text(s) { sub(/^[^:]*: */, "", s); sub(/,$/, "", s); gsub(/"/, "", s); return s }
/^  "warnings": \[/ { inside = 1 }
/^  "notes": / { inside = 0 }
!inside { next }
/^      "kind": / { kind = text($0); name = ""; transaction = 0 }
/^      "checkers": / { checkers = text($0); gsub(/[][,]/, "", checkers) }
/^      "transaction": / { transaction = !/null/ }
/^        "function": / && transaction && name == "" { name = text($0) }
/^          "variable": / && !transaction && name == "" { name = text($0) }
/^      "verdict": / { verdict = text($0) }
/^      "impact": / { printf "%s\t%s\t%s\t%s\t%s\n", kind, checkers, name, verdict, text($0) }
