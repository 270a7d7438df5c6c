/* global CSS, document, fetch, clearTimeout, setTimeout, location, DOMParser, FormData, FileReader, URLSearchParams, XMLHttpRequest */
import { MESSAGES, toast } from './screens.js'

const SAVE_AFTER_MS = 600
const MAX_FILE_BYTES = 10 * 1024 * 1024
/** Images larger than this get no preview before the upload. */
const MAX_PREVIEW_BYTES = 4 * 1024 * 1024

const byId = (part, id) => part.querySelector(`#${CSS.escape(id)}`)

const line = (text) => text.replaceAll(/[\r\n]+/g, ' ').trim()
const controlsOf = (form, name) => [...form.querySelectorAll(`[name="${CSS.escape(name)}"]`)]

/** Shows a value that another device saved, if the user has not edited the field. */
const follow = (form, answer, name, was) => {
  if (line(new FormData(form).getAll(name).join(',')) !== line(was)) return
  const updated = controlsOf(answer, name)
  for (const [index, control] of controlsOf(form, name).entries())
    if (control.type === 'checkbox') control.checked = updated[index].checked
    else control.value = updated[index].value
}

const hasError = (answer, name) =>
  controlsOf(answer, name).some((control) => control.closest('.field')?.querySelector('.error'))

/**
 * Updates each field's error and stored value from the response. Unsaved input stays. A field with an error keeps the value
 * that it was compared with: the next automatic save would otherwise overwrite what another device saved. Only the button
 * does that, after its page has shown both values.
 */
const takeOver = (form, answer) => {
  for (const updated of answer.querySelectorAll('input[type=hidden][name^="was."]')) {
    const own = form.querySelector(`input[type=hidden][name="${CSS.escape(updated.name)}"]`)
    const name = updated.name.slice('was.'.length)
    if (own === null || hasError(answer, name)) continue
    follow(form, answer, name, own.value)
    own.value = updated.value
  }
  for (const updated of answer.querySelectorAll('.field')) {
    const control = updated.querySelector('input[id^=field-], select[id^=field-], textarea[id^=field-]')
    const own = control && byId(form, control.id)?.closest('.field')
    if (!own) continue
    own.querySelector('.error')?.remove()
    const error = updated.querySelector('.error')
    const target = byId(own, control.id)
    if (error !== null) (own.querySelector('.check') ?? target).before(error)
    for (const name of ['aria-invalid', 'aria-describedby'])
      if (control.hasAttribute(name)) target.setAttribute(name, control.getAttribute(name))
  }
}

/** Saves the form while the user types. If a save fails, the next change or the submit button saves it. */
const autosave = (form) => {
  let timer
  let saving = Promise.resolve()
  const save = async () => {
    const body = new URLSearchParams(new FormData(form))
    body.set('autosave', 'true')
    try {
      const answer = await fetch(form.action, { method: 'POST', body })
      if (!answer.ok || answer.redirected) throw new Error('Not saved')
      const updated = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const same = updated.querySelector('form[data-use=autosave]')
      if (same === null) throw new Error('Not saved')
      // Errors are moved from the response into the form.
      const isWhole = same.querySelector('.error') === null
      takeOver(form, same)
      toast(MESSAGES[isWhole ? 'script.saved' : 'script.partlySaved'])
    } catch {
      toast(MESSAGES['script.notSaved'])
    }
  }
  form.addEventListener('change', () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      saving = saving.then(save)
    }, SAVE_AFTER_MS)
  })
  let isSent = false
  form.addEventListener('submit', async (event) => {
    clearTimeout(timer)
    if (isSent) return
    // Wait for a running save: its response updates the values that the server compares the form with.
    event.preventDefault()
    isSent = true
    await saving
    form.submit()
  })
}

const showError = (form, text) => {
  const control = form.querySelector('input[type=file]')
  const id = `${control.id}-error`
  const line = byId(form, id) ?? document.createElement('span')
  line.id = id
  line.className = 'error'
  line.setAttribute('role', 'alert')
  line.textContent = text
  control.before(line)
  control.setAttribute('aria-invalid', 'true')
  control.setAttribute('aria-describedby', `${control.id}-hint ${id}`)
}

const showPreview = (form, file) => {
  const place = form.querySelector('[data-file-preview]')
  place.replaceChildren()
  if (file === undefined || !file.type.startsWith('image/') || file.size > MAX_PREVIEW_BYTES) return
  const reader = new FileReader()
  reader.addEventListener('load', () => {
    const image = document.createElement('img')
    image.className = 'preview'
    image.alt = MESSAGES['script.preview']
    image.src = reader.result
    place.replaceChildren(image)
  })
  reader.readAsDataURL(file)
}

/** Uploads the file and shows the progress. If the connection fails, the file stays selected for another try. */
const upload = (form) => {
  const control = form.querySelector('input[type=file]')
  const button = form.querySelector('button[type=submit]')
  const words = button.textContent
  const progress = document.createElement('progress')
  progress.setAttribute('aria-label', MESSAGES['script.uploading'])
  progress.max = 1
  control.addEventListener('change', () => showPreview(form, control.files[0]))
  const end = (text) => {
    progress.remove()
    button.disabled = false
    button.textContent = words
    if (text !== null) showError(form, text)
  }
  form.addEventListener('submit', (event) => {
    const file = control.files[0]
    event.preventDefault()
    if (file === undefined) return showError(form, MESSAGES['file.fault.required'])
    if (file.size > MAX_FILE_BYTES) return showError(form, MESSAGES['file.fault.tooLarge'])
    const sending = new XMLHttpRequest()
    sending.open('POST', form.action)
    sending.upload.addEventListener('progress', ({ loaded, total }) => {
      progress.value = total > 0 ? loaded / total : 0
    })
    const cut = () => end(MESSAGES['script.interrupted'])
    sending.addEventListener('error', cut)
    sending.addEventListener('abort', cut)
    sending.addEventListener('load', () => {
      if (sending.status === 200) return location.assign(sending.responseURL)
      const updated = new DOMParser().parseFromString(sending.responseText, 'text/html')
      end(updated.querySelector('.field .error')?.textContent ?? MESSAGES['script.notUploaded'])
    })
    button.disabled = true
    button.before(progress)
    sending.send(new FormData(form))
  })
}

for (const form of document.querySelectorAll('form[data-use=autosave]')) autosave(form)
for (const form of document.querySelectorAll('form[data-use=upload]')) upload(form)
