import { Refusal } from '#exceptions/refusal'

/** A refusal in words of the catalogue, so in the language of the page. All others are in English. */
export class SaidRefusal extends Refusal {}

/** 400, in words of the catalogue. */
export function said(message: string): SaidRefusal {
  return new SaidRefusal(400, message)
}

/** The language of the words of an error, where it is not that of the page: a page marks it. */
export function languageOf(error: unknown): { lang?: 'en' } {
  return error instanceof SaidRefusal ? {} : { lang: 'en' }
}
