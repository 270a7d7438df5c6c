#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'

// Node keeps the compiled form of these files: a command starts in half the time.
module.enableCompileCache?.()

const source = new URL('../src/main.ts', import.meta.url)
if (existsSync(source)) {
  // In the repository nothing is compiled (ADR 0004): the packages that this one uses are taken from their source too.
  module.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, 'platform-source'] }),
  })
  await import(source.href)
} else await import('../dist/causeway.js')
