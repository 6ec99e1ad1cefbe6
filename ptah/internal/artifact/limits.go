package artifact

// What a patch may be, and how many can be prepared at once.
const (
	MaxFileBytes   = 1 << 20 // of one file
	MaxChanges     = 64
	MaxPatchBytes  = 4 << 20 // of all contents together
	PreviewSeconds = 15 * 60 // how long a preview can be applied
	MaxPreviews    = 32
)
