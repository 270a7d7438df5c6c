/** `pnpm streams:backup FOLDER`, `pnpm streams:restore FOLDER --until MOMENT`: snapshots of the streams (docs/OPERATIONS.md). */
await import('../packages/chassis/src/stream-backup/command.ts')
