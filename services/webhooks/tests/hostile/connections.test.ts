import { CONNECTIONS } from './connections.ts'
import { describeBehaviours } from './suite.ts'

describeBehaviours('a connection that ends where it should not', CONNECTIONS)
