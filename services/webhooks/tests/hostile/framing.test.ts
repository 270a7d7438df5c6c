import { FRAMING } from './framing.ts'
import { describeBehaviours } from './suite.ts'

describeBehaviours('an answer that is put together wrongly', FRAMING)
