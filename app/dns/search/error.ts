/** An invalid search query; the message says what is wrong and what is allowed. */
export class SearchQueryError extends Error {}
