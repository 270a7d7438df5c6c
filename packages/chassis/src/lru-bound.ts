/**
 * Bounds an `LRUCache` to so many entries. Its own `max` allocates for all of them at once, 27 bytes an entry; bounded
 * by a size of 1 an entry, the cache grows as it fills.
 */
export const atMostEntries = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
