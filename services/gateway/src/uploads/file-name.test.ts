import { expect, test } from '@jest/globals'
import { cleanFileName } from './file-name.ts'

test.each([
  ['statement.pdf', 'statement.pdf'],
  ['/etc/../home/ada/statement.pdf', 'statement.pdf'],
  ['C:\\Users\\ada\\statement.pdf', 'statement.pdf'],
  ['..\\../statement.pdf', 'statement.pdf'],
  ['Kontoauszug März 📄.pdf', 'Kontoauszug März 📄.pdf'],
  ['a\u0000b\r\n\tc\u007f\u0085.pdf', 'abc.pdf'],
  ['exe\u202efdp.pdf', 'exefdp.pdf'],
  ['  spaced.pdf  ', 'spaced.pdf'],
  ['', 'document.pdf'],
  ['dir/', 'document.pdf'],
  ['..', 'document.pdf'],
  ['\u0001', 'document.pdf'],
  ['lone \ud800.pdf', 'lone \ufffd.pdf'],
])('stores the file name %j as %j', (given, kept) => {
  expect(cleanFileName(given, 'application/pdf')).toBe(kept)
})

test('shortens a long file name to 255 characters, keeps its ending and halves no character', () => {
  expect(cleanFileName(`${'x'.repeat(300)}.pdf`, 'application/pdf')).toBe(`${'x'.repeat(251)}.pdf`)
  expect(cleanFileName('y'.repeat(256), 'application/pdf')).toBe('y'.repeat(255))
  expect(cleanFileName('📄'.repeat(200), 'application/pdf')).toBe('📄'.repeat(127))
  expect(cleanFileName('z'.repeat(255), 'application/pdf')).toBe('z'.repeat(255))
})

test.each([
  ['image/png', 'document.png'],
  ['image/jpeg', 'document.jpg'],
] as const)('names a file of type %s without a name %s', (type, name) => {
  expect(cleanFileName('/', type)).toBe(name)
})
