import { Refusal } from '#exceptions/refusal'

/** A refusal with a translated message. Messages of all other refusals are in English. */
export class LocalizedError extends Refusal {
  constructor(
    status: number,
    message: string,
    /** Name of the invalid field, for pages that show the error there. */
    readonly field?: string
  ) {
    super(status, message)
  }
}

/** A 400 with a text of the catalogue; `field` is the name of the invalid field. */
export function localized(message: string, field?: string): LocalizedError {
  return new LocalizedError(400, message, field)
}

/** Language of the message if it differs from that of the page, which marks it. */
export function languageOf(error: unknown): { lang?: 'en' } {
  return error instanceof LocalizedError ? {} : { lang: 'en' }
}
