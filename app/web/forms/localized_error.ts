import { Refusal } from '#exceptions/refusal'

/** A refusal in words of the catalogue, so in the language of the page. All others are in English. */
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

/** 400, in words of the catalogue; `field` is the name of the one that is wrong. */
export function localized(message: string, field?: string): LocalizedError {
  return new LocalizedError(400, message, field)
}

/** The language of the words of an error, where it is not that of the page: a page marks it. */
export function languageOf(error: unknown): { lang?: 'en' } {
  return error instanceof LocalizedError ? {} : { lang: 'en' }
}
