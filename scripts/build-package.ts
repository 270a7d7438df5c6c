/**
 * `prepack` of the packages that are published: compiles the package of the working folder for both module systems,
 * `dist/*.js` for ESM and `dist/cjs/*.js` for CommonJS, each with its types and with source maps to `src`.
 */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

const compile = (...options: string[]): void => {
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', ...options], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}

rmSync('dist', { recursive: true, force: true })
compile()
// Node and TypeScript take a file for the module system of the nearest package.json.
compile(
  '--outDir',
  'dist/cjs',
  '--module',
  'commonjs',
  '--moduleResolution',
  'bundler',
  '--verbatimModuleSyntax',
  'false',
)
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n')
