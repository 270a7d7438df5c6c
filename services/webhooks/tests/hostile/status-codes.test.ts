import { STATUS_CODES } from './status-codes.ts'
import { describeBehaviours } from './suite.ts'

describeBehaviours('the status code of an answer decides', STATUS_CODES)
