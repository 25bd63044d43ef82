#!/bin/sh
# test_modules_verdicts.sh - the modules' unit tests through `heddle test`: those with
# the defect are harmful, those without are not, and the verdicts are those of the
# reference in results/modules. GOLDEN=--rewrite makes it anew.
unset HEDDLE_OPTIONS HEDDLE_CC HEDDLE_TEST
mkdir -p "$BUILD/modules"
for readme in suites/modules/*/README.md; do
    folder=${readme%/README.md}
    name=${folder##*/}
    for defect in '' _defect; do
        "$BUILD/bin/heddle-cc" -O1 -g ${defect:+-DDEFECT} -I"$UNITY" "$folder/$name.c" "$folder/test_$name.c" \
            "$UNITY/unity.c" -o "$BUILD/modules/$name$defect" || rm -f "$BUILD/modules/$name$defect"
    done
done
python3 suites/tests/suite.py modules "$BUILD" "${GOLDEN:---reference}"
