/**
 * An upload failed while it was arriving. `aborted`: the caller hung up; `malformed`: the body is not what its content
 * type says.
 */
export class UploadFault extends Error {
  override readonly name = 'UploadFault'
  readonly why: 'too_large' | 'aborted' | 'malformed'

  constructor(why: UploadFault['why']) {
    super(`The upload is ${why}`)
    this.why = why
  }
}
