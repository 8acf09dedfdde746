/** A search that cannot be read: what is wrong, and what is allowed. */
export class SearchQueryError extends Error {}
