import { FLOODS } from './floods.ts'
import { describeBehaviours } from './suite.ts'

describeBehaviours('an answer without end', FLOODS)
