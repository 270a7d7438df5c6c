// Loaded before every script of package.json (node --require), also by a Node that does not know .ts: without it that
// one reports an unknown file extension, and a somewhat newer one fails later at what it lacks.
const NODE_MAJOR = 24

if (Number.parseInt(process.version.slice(1), 10) < NODE_MAJOR) {
  const script = process.env['npm_lifecycle_event'] ?? '<script>'
  console.error(
    `Node ${NODE_MAJOR} or newer is required; this is ${process.version} (${process.execPath}).\n` +
      `Run: npx -y pnpm@12 ${script}\n` +
      'It installs the right Node into node_modules and uses it; PATH and your own Node stay as they are.',
  )
  process.exit(1)
}
