/** Scripts for the page, as strings: the repository does not compile with the DOM's types. */

/** Empty while nothing has the focus: a page that has just come gives it away a moment after its content is there. */
export const FOCUSED_TEXT = `document.activeElement === document.body ? '' : (document.activeElement?.textContent ?? '')`

export const FOCUSED_ID = `document.activeElement?.id ?? ''`

/** By how many pixels the page is wider than its window. */
export const OVERFLOW = `document.documentElement.scrollWidth - window.innerWidth`

export const CARD_NUMBER_SIZE = `parseFloat(getComputedStyle(document.getElementById('card_number')).fontSize)`

/** Texts whose contrast with their background is below `least`: WCAG 2.2, relative luminance. */
export const faintTexts = (least: number): string => `(() => {
  const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number)
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  const luminance = (colour) => {
    const [red, green, blue] = channels(colour).slice(0, 3).map((channel) => linear(channel / 255))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const backgroundOf = (element) => {
    if (element === null) return 'rgb(255, 255, 255)'
    const colour = getComputedStyle(element).backgroundColor
    return channels(colour)[3] === 0 ? backgroundOf(element.parentElement) : colour
  }
  const hasText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '')
  return [...document.querySelectorAll('body *')].filter(hasText).flatMap((element) => {
    const [a, b] = [getComputedStyle(element).color, backgroundOf(element)].map(luminance)
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    return contrast < ${least} ? [{ text: element.textContent, contrast }] : []
  })
})()`
