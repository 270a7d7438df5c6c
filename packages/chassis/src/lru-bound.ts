/**
 * Limits an `LRUCache` to a number of entries. Its `max` allocates for all entries in advance, 27 bytes each; with a size of
 * 1 per entry the cache grows as it fills.
 */
export const atMostEntries = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
