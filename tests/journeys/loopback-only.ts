/** Preloaded into processes under test: names do not resolve outside, so that no call leaves the machine. */
import dns, { type LookupOptions } from 'node:dns'

const LOOPBACK = '127.0.0.1'
type Found = (error: Error | null, address?: unknown, family?: number) => void

const lookup = (name: string, options: LookupOptions, found: Found): void => {
  if (name !== 'localhost' && name !== LOOPBACK)
    found(
      Object.assign(new Error(`no name but localhost is looked up in tests: ${name}`), { code: 'ENOTFOUND' }),
    )
  else if (options.all === true) found(null, [{ address: LOOPBACK, family: 4 }])
  else found(null, LOOPBACK, 4)
}
Object.assign(dns, { lookup })
