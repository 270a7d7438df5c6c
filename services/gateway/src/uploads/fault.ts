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

/** What is wrong with one field of an upload. */
export type FieldFault = Readonly<{ field: string; reason: string }>

/** Faults, each field once; more than a few help nobody. */
export const createFaults = () => {
  const faults = new Map<string, string>()
  return {
    add(field: string, reason: string) {
      if (faults.size < 20 && !faults.has(field)) faults.set(field.slice(0, 200).toWellFormed(), reason)
    },
    list: (): FieldFault[] => [...faults].map(([field, reason]) => ({ field, reason })),
  }
}
