/* global document, devicePixelRatio, fetch */

import { getDocument, GlobalWorkerOptions } from './pdf.js'

GlobalWorkerOptions.workerSrc = '/screens/pdf-worker.js'

/** Pages that are drawn; the file itself has the rest. */
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
  canvas.setAttribute('aria-label', `Page ${number} of ${pdf.numPages}`)
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
    // Faults of a file are not the page's: it says so itself where nothing can be drawn.
    verbosity: 0,
    useWasm: false,
    wasmUrl: '/screens/',
  }).promise
  for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES); number += 1)
    await drawPage(pdf, number, place)
  if (pdf.numPages > MAX_PAGES) say(place, `${pdf.numPages - MAX_PAGES} more pages are in the file: save it.`)
}

/** Shows a file if it is a PDF; what is none, and what cannot be read now, has its link beside it. */
const drawIfPdf = async (place) => {
  const answer = await fetch(place.dataset.perhapsPdf)
  if (!answer.ok || answer.headers.get('content-type') !== 'application/pdf') return
  const data = await answer.arrayBuffer()
  place.hidden = false
  await draw(place, { data })
}

const giveUp = (place) => () => say(place, 'This PDF cannot be shown here: save the file and open it.')

for (const place of document.querySelectorAll('[data-pdf]'))
  draw(place, { url: place.dataset.pdf }).catch(giveUp(place))
for (const place of document.querySelectorAll('[data-perhaps-pdf]')) drawIfPdf(place).catch(giveUp(place))
