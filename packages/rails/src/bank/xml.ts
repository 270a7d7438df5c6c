import { XMLParser } from 'fast-xml-parser'
import { BankFileError, checkSize } from './bank-file-error.ts'

/** An element: its children by name, its text as `#text`, its attributes with `@`. */
export type XmlNode = Readonly<Record<string, unknown>>

/** ISO 20022 documents need 16 levels at most. */
const MAX_DEPTH = 32
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]{2,4}));|&/g
/** Characters that XML 1.0 does not allow, next to lone surrogates. */
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

const isXml = (text: string): boolean => text.isWellFormed() && !NOT_XML.test(text)

const decodeReference = (whole: string, decimal?: string, hex?: string, name?: string): string => {
  if (name !== undefined && Object.hasOwn(NAMED, name)) return NAMED[name] ?? ''
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  const text = code <= 0x10ffff ? String.fromCodePoint(code) : '\0'
  if (!isXml(text)) throw new Error(`the reference ${whole} is not allowed`)
  return text
}

/** Decodes the five predefined entities and numbered characters. Without a DOCTYPE, XML has no other. */
const entityDecoder = {
  decode: (text: string) => (text.includes('&') ? text.replace(REFERENCE, decodeReference) : text),
  addInputEntities: () => {
    throw new Error('a DOCTYPE is not allowed')
  },
  setExternalEntities: () => undefined,
  setXmlVersion: () => undefined,
  reset: () => undefined,
}

const parser = new XMLParser({
  entityDecoder,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  alwaysCreateTextNode: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: MAX_DEPTH,
  // Paths as text would double the time.
  jPath: false,
  transformTagName: (name) => name.slice(name.indexOf(':') + 1),
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
})

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

const namespacesOf = (document: XmlNode): readonly unknown[] =>
  Object.entries(document).flatMap(([name, value]) => (/^@xmlns(?::|$)/.test(name) ? [value] : []))

/**
 * Reads the `Document` of an ISO 20022 message. Prefixes of names are dropped.
 * @param messages accepted messages, such as `camt.053.001.08`
 * @throws BankFileError for a text that is no such document, has a DOCTYPE, or is beyond 10 MB or 32 levels
 */
export const readDocument = (text: string, messages: readonly string[]): XmlNode => {
  checkSize(text)
  const expected = `Expected an XML document of ${messages.join(' or ')}`
  if (!isXml(text)) throw new BankFileError(`${expected}; the text has characters that XML does not allow.`)
  if (/<!DOCTYPE/i.test(text)) throw new BankFileError(`${expected}, without a DOCTYPE.`)
  let root: XmlNode
  try {
    // `true`: without this check, a file that was cut off is read as a shorter one.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- its replacement would add two packages
    root = parser.parse(text.replace(/^\ufeff/, ''), true) as XmlNode
  } catch {
    // The parser's message can hold the whole file.
    throw new BankFileError(`${expected}, well-formed and at most ${MAX_DEPTH} levels deep.`)
  }
  const document = elementAt(root, 'Document')
  const namespaces = document === null ? [] : namespacesOf(document)
  if (
    document === null ||
    !messages.some((name) => namespaces.includes(`urn:iso:std:iso:20022:tech:xsd:${name}`))
  )
    throw new BankFileError(`${expected}: an element Document in the namespace of one of them.`)
  return document
}
