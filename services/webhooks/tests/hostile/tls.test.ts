import { afterAll, beforeAll } from '@jest/globals'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createResolver } from '../../src/connect-guard/resolver.ts'
import type { Behaviour } from './behaviour.ts'
import { listenWith } from './loopback.ts'
import { describeBehaviours } from './suite.ts'
import { HOST, makeAuthorities, TLS, type Authorities, type TlsBehaviour } from './tls.ts'

const resolveOthers = createResolver()
const trustedBefore = getCACertificates('default')
let authorities: Authorities
beforeAll(async () => {
  authorities = await makeAuthorities()
  setDefaultCACertificates([...trustedBefore, authorities.root.certificate.toString('pem')])
})
afterAll(() => setDefaultCACertificates(trustedBefore))

describeBehaviours('the TLS of a receiver', TLS, {
  outside: { resolve: async (name) => (name === HOST ? ['127.0.0.1'] : resolveOthers(name)) },
  urlOf: (behaviour, port) => `https://${(behaviour as TlsBehaviour).host}:${port}/hook`,
  listen: async (behaviour: Behaviour) => {
    let serve: Parameters<TlsBehaviour['server']>[1] = () => undefined
    const server = await (behaviour as TlsBehaviour).server(authorities, (socket) => serve(socket))
    return listenWith((given) => {
      serve = given
      return server
    }, behaviour)
  },
})
