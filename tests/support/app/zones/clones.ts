import type { Caller } from '#tests/support/app/api'

/** Lines of the export of a zone, with one blank between words. */
export async function digest(as: Caller, id: number): Promise<string[]> {
  const exported = await as.get(`/zones/${id}/export`)
  const text = exported.body().data.zone_file as string
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.replaceAll(/ +/g, ' '))
}
