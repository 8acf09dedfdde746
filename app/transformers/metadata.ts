/** One kind of metadata of the API. */
export function metadataItem(kind: string, values: string[]) {
  return { kind, values }
}
