// Package invariants says whether this build checks what must always hold,
// such as that every result fits the schema published for it. The checks cost
// time, so they are on with the build tag "invariants" and under the race
// detector only.
package invariants
