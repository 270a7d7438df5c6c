import type { Screen } from '../../screen.ts'
import { destinationScreens } from './destination-screens.ts'
import { logScreens } from './log-screens.ts'
import { LOG_OWNERS } from './owner.ts'
import { redeliveryScreens } from './redelivery-screens.ts'

/** Destinations of partners; events, deliveries and redeliveries of partners and merchants. */
export const webhookScreens: readonly Screen[] = [
  ...destinationScreens,
  ...LOG_OWNERS.flatMap((owner) => [...logScreens(owner), ...redeliveryScreens(owner)]),
]
