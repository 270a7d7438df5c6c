/* global CSS, document, fetch, clearTimeout, setTimeout, location, DOMParser, FormData, FileReader, URLSearchParams, XMLHttpRequest */
import { toast } from './screens.js'

const SAVE_AFTER_MS = 600
const MAX_FILE_BYTES = 10 * 1024 * 1024
/** Pictures of more bytes than this are not shown before they are uploaded. */
const MAX_PREVIEW_BYTES = 4 * 1024 * 1024

const byId = (part, id) => part.querySelector(`#${CSS.escape(id)}`)

const line = (text) => text.replaceAll(/[\r\n]+/g, ' ').trim()
const controlsOf = (form, name) => [...form.querySelectorAll(`[name="${CSS.escape(name)}"]`)]

/** Shows what another device has written to a field that nobody has touched here. */
const follow = (form, answer, name, was) => {
  if (line(new FormData(form).getAll(name).join(',')) !== line(was)) return
  const told = controlsOf(answer, name)
  for (const [index, control] of controlsOf(form, name).entries())
    if (control.type === 'checkbox') control.checked = told[index].checked
    else control.value = told[index].value
}

/** Takes over what the answer says of each field: its fault, and what is stored; what is being written stays. */
const takeOver = (form, answer) => {
  for (const told of answer.querySelectorAll('input[type=hidden][name^="was."]')) {
    const own = form.querySelector(`input[type=hidden][name="${CSS.escape(told.name)}"]`)
    if (own === null) continue
    follow(form, answer, told.name.slice('was.'.length), own.value)
    own.value = told.value
  }
  for (const told of answer.querySelectorAll('.field')) {
    const control = told.querySelector('[id^=field-]')
    const own = control && byId(form, control.id)?.closest('.field')
    if (!own) continue
    own.querySelector('.error')?.remove()
    const error = told.querySelector('.error')
    const target = byId(own, control.id)
    if (error !== null) target.before(error)
    for (const name of ['aria-invalid', 'aria-describedby'])
      if (control.hasAttribute(name)) target.setAttribute(name, control.getAttribute(name))
  }
}

/** Stores the form while the person goes on writing. What fails is stored by the button, or with the next change. */
const autosave = (form) => {
  let timer
  let saving = Promise.resolve()
  const save = async () => {
    const body = new URLSearchParams(new FormData(form))
    body.set('autosave', 'true')
    try {
      const answer = await fetch(form.action, { method: 'POST', body })
      if (!answer.ok || answer.redirected) throw new Error('Not stored')
      const told = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const same = told.querySelector('form[data-use=autosave]')
      if (same === null) throw new Error('Not stored')
      takeOver(form, same)
      toast('Saved')
    } catch {
      toast('Not saved yet: use the button below once you are online')
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
    // A store that is under way ends first: its answer has what the form is compared with.
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
    image.alt = 'Preview of the file that you have chosen'
    image.src = reader.result
    place.replaceChildren(image)
  })
  reader.readAsDataURL(file)
}

/** Sends the file with its progress. Where it is cut off the choice stays, to be sent again by the same button. */
const upload = (form) => {
  const control = form.querySelector('input[type=file]')
  const button = form.querySelector('button[type=submit]')
  const words = button.textContent
  const progress = document.createElement('progress')
  progress.setAttribute('aria-label', 'Uploading')
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
    if (file === undefined) return showError(form, 'Choose a file.')
    if (file.size > MAX_FILE_BYTES) return showError(form, 'Choose a smaller file: at most 10 MB.')
    const sending = new XMLHttpRequest()
    sending.open('POST', form.action)
    sending.upload.addEventListener('progress', ({ loaded, total }) => {
      progress.value = total > 0 ? loaded / total : 0
    })
    const cut = () =>
      end('The upload was cut off. Your file is still chosen: press the button to send it again.')
    sending.addEventListener('error', cut)
    sending.addEventListener('abort', cut)
    sending.addEventListener('load', () => {
      if (sending.status === 200) return location.assign(sending.responseURL)
      const told = new DOMParser().parseFromString(sending.responseText, 'text/html')
      end(
        told.querySelector('.field .error')?.textContent ??
          'The file was not taken, and nothing was changed. Load the page again, then send it once more.',
      )
    })
    button.disabled = true
    button.before(progress)
    sending.send(new FormData(form))
  })
}

for (const form of document.querySelectorAll('form[data-use=autosave]')) autosave(form)
for (const form of document.querySelectorAll('form[data-use=upload]')) upload(form)
