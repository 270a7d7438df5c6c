/* global document, devicePixelRatio, fetch */

import { MESSAGES } from './screens.js'
import { getDocument, GlobalWorkerOptions } from './pdf.js'

GlobalWorkerOptions.workerSrc = '/screens/pdf-worker.js'

/** Maximum number of pages drawn. */
const MAX_PAGES = 30
/** Widest canvas, in pixels: a large one fails to draw on a phone. */
const MAX_WIDTH = 2_000

const say = (place, text) => {
  const line = document.createElement('p')
  line.textContent = text
  place.append(line)
}

const drawPage = async (pdf, number, place) => {
  const page = await pdf.getPage(number)
  const width = Math.min(place.clientWidth * devicePixelRatio, MAX_WIDTH)
  const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width })
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  canvas.setAttribute('role', 'img')
  canvas.setAttribute(
    'aria-label',
    MESSAGES['script.pdf.page'].replace('{number}', number).replace('{all}', pdf.numPages),
  )
  place.append(canvas)
  await page.render({ canvas, viewport }).promise
}

/**
 * Draws a PDF as pictures. @param source its address or its bytes. Scripts of the file are never run: the part of the library that could is not served. Glyphs
 * are drawn as shapes, so that no font of the file reaches the browser, and nothing is compiled.
 */
const draw = async (place, source) => {
  const pdf = await getDocument({
    ...source,
    disableRange: true,
    disableFontFace: true,
    // No console messages for invalid files: the page reports that it cannot show them.
    verbosity: 0,
    useWasm: false,
    wasmUrl: '/screens/',
  }).promise
  for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES); number += 1)
    await drawPage(pdf, number, place)
  if (pdf.numPages > MAX_PAGES) say(place, MESSAGES['script.pdf.more'])
}

/** Shows the file if it is a PDF. For other files the page has a link. */
const drawIfPdf = async (place) => {
  const answer = await fetch(place.dataset.perhapsPdf)
  if (!answer.ok || answer.headers.get('content-type') !== 'application/pdf') return
  const data = await answer.arrayBuffer()
  place.hidden = false
  await draw(place, { data })
}

const giveUp = (place) => () => say(place, MESSAGES['script.pdf'])

for (const place of document.querySelectorAll('[data-pdf]'))
  draw(place, { url: place.dataset.pdf }).catch(giveUp(place))
for (const place of document.querySelectorAll('[data-perhaps-pdf]')) drawIfPdf(place).catch(giveUp(place))
