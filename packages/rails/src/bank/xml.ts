import { SaxesParser } from 'saxes'
import { BankFileError, checkSize } from './bank-file-error.ts'

/** An element: its children by name, its text as `#text`, its attributes with `@`. */
export type XmlNode = Readonly<Record<string, unknown>>

/** ISO 20022 documents need 16 levels at most. */
const MAX_DEPTH = 32
/** Characters that the parser reads in one step: 5 ms of CPU. */
const STEP = 16 * 1024
const DOCTYPE = /<!DOCTYPE/i
const DOCTYPE_LENGTH = 9
const MAX_ELEMENT = 2 * 1024 * 1024
/** Characters that XML 1.0 does not allow, next to lone surrogates. */
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

export const childrenOf = (node: XmlNode, name: string): readonly XmlNode[] => {
  const children = Object.hasOwn(node, name) ? node[name] : undefined
  return Array.isArray(children) ? (children as readonly XmlNode[]) : []
}

/** First element at a path such as `BookgDt/Dt`. */
export const elementAt = (node: XmlNode, path: string): XmlNode | null => {
  let found: XmlNode | undefined = node
  for (const name of path.split('/')) found = found && childrenOf(found, name)[0]
  return found ?? null
}

const stringOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Text of the first element at a path; null for an empty or missing one. */
export const textAt = (node: XmlNode, path: string): string | null =>
  stringOf(elementAt(node, path)?.['#text'])

export const attributeAt = (node: XmlNode, path: string, name: string): string | null =>
  stringOf(elementAt(node, path)?.[`@${name}`])

const localName = (name: string): string => {
  const local = name.slice(name.indexOf(':') + 1)
  if (local === '__proto__') throw new Error('a name that no message has')
  return local
}

/** An element that is being read. */
type Open = { children: Record<string, XmlNode[]>; text: string; attributes: Record<string, string> }

/** The order of the keys must not change: ids of entries are hashes of them. */
const closed = ({ children, text, attributes }: Open): XmlNode => ({
  ...children,
  ...((text !== '' || Object.keys(children).length === 0) && { '#text': text }),
  ...attributes,
})

/** An element that was read. `parent`: ordinal of its parent among those at the same path, from 1. */
export type FoundElement = Readonly<{ name: string; parent: number; node: XmlNode }>

/** Which elements are read: those with one of the names, in a parent at a path from `Document` on; prefixes do not count. */
type Wanted = Readonly<{
  /** Accepted messages, such as `camt.053.001.08`. */
  messages: readonly string[]
  parent: string
  names: readonly string[]
  /** Characters of the longest wanted element; left out: 2 Mi, a batch of some 5,000 payments. */
  longest?: number
}>

/** Reads the wanted elements; everything outside of them is checked and not kept. */
const createReader = (
  { messages, parent, names, longest = MAX_ELEMENT }: Wanted,
  wrong: (why: string) => BankFileError,
) => {
  const parser = new SaxesParser()
  const path: string[] = []
  /** The wanted element and those that are open in it. */
  const open: Open[] = []
  let found: FoundElement[] = []
  let parents = 0
  let start = 0

  const checkRoot = (attributes: Readonly<Record<string, string>>) => {
    const namespaces = Object.entries(attributes).flatMap(([name, value]) =>
      /^xmlns(?::|$)/.test(name) ? [value] : [],
    )
    const isExpected = messages.some((name) => namespaces.includes(`urn:iso:std:iso:20022:tech:xsd:${name}`))
    if (path[0] !== 'Document' || !isExpected)
      throw wrong(': an element Document in the namespace of one of them.')
  }
  /** Text up to the next tag: comments in it do not end it. */
  let text = ''
  const endText = (cdata = '') => {
    const element = open.at(-1)
    if (element !== undefined) element.text += `${text.trim()}${cdata}`
    text = ''
  }
  parser.on('text', (more) => {
    if (open.length > 0) text += more
  })
  parser.on('cdata', endText)
  parser.on('processinginstruction', () => endText())
  parser.on('opentag', ({ name, attributes }) => {
    endText()
    path.push(localName(name))
    if (path.length > MAX_DEPTH) throw new Error('too many levels')
    if (path.length === 1) checkRoot(attributes)
    const at = path.join('/')
    if (at === parent) parents += 1
    if (open.length === 0) {
      if (!names.some((each) => at === (parent === '' ? each : `${parent}/${each}`))) return
      start = parser.position
    }
    const named = Object.entries(attributes).map(([key, value]) => [`@${key}`, value.trim()])
    open.push({
      children: Object.create(null) as Open['children'],
      text: '',
      attributes: Object.fromEntries(named) as Record<string, string>,
    })
  })
  parser.on('closetag', () => {
    endText()
    const name = path.pop() ?? ''
    const element = open.pop()
    if (element === undefined) return
    const within = open.at(-1)
    if (within === undefined) found.push({ name, parent: parents, node: closed(element) })
    else (within.children[name] ??= []).push(closed(element))
  })
  return {
    /** @returns the elements that this piece completes */
    write(piece: string | null): readonly FoundElement[] {
      parser.write(piece)
      if (open.length > 0 && parser.position - start > longest)
        throw new BankFileError(`An element is too long: at most ${longest} characters are allowed.`)
      const complete = found
      found = []
      return complete
    },
  }
}

/**
 * Reads elements of an ISO 20022 message one after another; only one is in memory besides the text. What comes after an
 * element may still be refused. A step of the iteration takes milliseconds; null: it found nothing.
 * @throws BankFileError for a text that is no such document, has a DOCTYPE, or is beyond 16 MiB or 32 levels, and for an
 *   element that is too long
 */
export function* readElements(text: string, wanted: Wanted): Generator<FoundElement | null> {
  checkSize(text)
  const expected = `Expected an XML document of ${wanted.messages.join(' or ')}`
  const wrong = (why: string) => new BankFileError(`${expected}${why}`)
  const notXml = () => wrong('; the text has characters that XML does not allow.')
  if (!text.isWellFormed()) throw notXml()
  const reader = createReader(wanted, wrong)
  const write = (piece: string | null) => {
    try {
      return reader.write(piece)
    } catch (error) {
      if (error instanceof BankFileError) throw error
      // The parser's message can hold a part of the file.
      throw wrong(`, well-formed and at most ${MAX_DEPTH} levels deep.`)
    }
  }
  for (let at = 0; at < text.length; at += STEP) {
    const piece = text.slice(at, at + STEP)
    if (NOT_XML.test(piece)) throw notXml()
    if (DOCTYPE.test(text.slice(Math.max(0, at - DOCTYPE_LENGTH), at + STEP)))
      throw wrong(', without a DOCTYPE.')
    yield* write(piece)
    yield null
  }
  // Closes the document: a file that was cut off must not be read as a shorter one.
  yield* write(null)
}

/**
 * Reads the `Document` of an ISO 20022 message as a whole. Prefixes of names are dropped.
 * @throws BankFileError as {@link readElements} does
 */
export const readDocument = (text: string, messages: readonly string[]): XmlNode => {
  const found = [...readElements(text, { messages, parent: '', names: ['Document'], longest: Infinity })]
  const document = found.find((each) => each !== null)
  if (document === undefined) throw new Error('A document without its root was read')
  return document.node
}
