/* global window */

// The page is sandboxed, so that reading the browser's storage throws, and the viewer reads it when it is loaded. It gets
// storage of the page, which ends with it: the viewer keeps nothing but how it looks.
const inMemory = () => {
  const values = new Map()
  return {
    get length() {
      return values.size
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (name) => values.get(String(name)) ?? null,
    setItem: (name, value) => values.set(String(name), String(value)),
    removeItem: (name) => values.delete(String(name)),
    clear: () => values.clear(),
  }
}

for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { value: inMemory() })
