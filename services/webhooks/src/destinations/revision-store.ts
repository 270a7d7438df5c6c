/** Takes the next revision of the destinations and the lock that orders their changes; part of every such statement. */
export const NEXT_REVISION = 'UPDATE destination_revision SET revision = revision + 1 RETURNING revision'
