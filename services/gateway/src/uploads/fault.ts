/**
 * Why an upload came to nothing while it was arriving. `gone`: the caller hung up; `malformed`: the body is not what
 * its content type says.
 */
export class UploadFault extends Error {
  override readonly name = 'UploadFault'
  readonly why: 'too_large' | 'gone' | 'malformed'

  constructor(why: UploadFault['why']) {
    super(`The upload is ${why}`)
    this.why = why
  }
}
