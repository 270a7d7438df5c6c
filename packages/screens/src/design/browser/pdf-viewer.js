/* global document, devicePixelRatio */

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
 * Draws a PDF as pictures. Scripts of the file are never run: the part of the library that could is not served. Glyphs
 * are drawn as shapes, so that no font of the file reaches the browser, and nothing is compiled.
 */
const show = async (place) => {
  const pdf = await getDocument({
    url: place.dataset.pdf,
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

for (const place of document.querySelectorAll('[data-pdf]'))
  show(place).catch(() => say(place, 'This PDF cannot be shown here: save the file and open it.'))
