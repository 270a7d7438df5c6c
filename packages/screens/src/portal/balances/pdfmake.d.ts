/** The part of pdfmake that lays out statements. Its published types need those of a browser. */
declare module 'pdfmake' {
  type Style = Readonly<{
    fontSize?: number
    bold?: boolean
    alignment?: 'right' | 'center'
    margin?: number | readonly number[]
    style?: string
    font?: string
  }>
  type Cell = string | (Style & Readonly<{ text: string }>)
  type Table = Readonly<{
    headerRows: number
    dontBreakRows: boolean
    widths: readonly string[]
    body: readonly (readonly Cell[])[]
  }>
  type Image = Readonly<{ image: string; fit: readonly [number, number]; margin: readonly number[] }>
  export type Content = Cell | Image | Readonly<{ layout: string; table: Table }>
  export type Definition = Readonly<{
    info: Readonly<{ title: string }>
    pageSize: string
    pageMargins: readonly number[]
    defaultStyle: Style
    styles: Readonly<Record<string, Style>>
    content: readonly Content[]
    footer: (page: number, pages: number) => Content
  }>
  const pdfmake: Readonly<{
    setFonts: (fonts: Readonly<Record<string, Readonly<{ normal: string; bold: string }>>>) => void
    setUrlAccessPolicy: (isAllowed: (url: string) => boolean) => void
    setLocalAccessPolicy: (isAllowed: (path: string) => boolean) => void
    createPdf: (definition: Definition) => Readonly<{ getBuffer: () => Promise<Uint8Array> }>
  }>
  export default pdfmake
}
