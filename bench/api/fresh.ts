/** Number of values that were not requested before. Each cell uses one more for its main measurement. */
const FRESH_VALUES = 10

/** Page numbers at equal distances before `page`, each reduced by `ahead`. */
export function pagesBefore(page: number, ahead = 0): number[] {
  const step = Math.max(1, Math.floor(page / 2 / FRESH_VALUES))
  const pages = Array.from({ length: FRESH_VALUES + 1 }, (_, i) => page - ahead - i * step)
  return pages.filter((candidate) => candidate >= 1)
}

/** Substrings of a name, which all names below it contain. Calls never return the same text twice. */
export function partsOf(name: string): { next: (first?: string) => string[] } {
  const parts = new Set<string>()
  for (let length = 5; length < name.length; length++) {
    for (let start = 0; start + length <= name.length; start++) {
      parts.add(name.slice(start, start + length))
    }
  }
  return { next: batches(parts.values()) }
}

/** Texts with increasing numbers. Calls never return the same text twice. */
export function numberedTexts(text: (n: number) => string): { next: (first?: string) => string[] } {
  const texts = (function* () {
    for (let n = 0; ; n++) yield text(n)
  })()
  return { next: batches(texts) }
}

function batches(texts: Iterator<string>): (first?: string) => string[] {
  return (first) => {
    const batch = first === undefined ? [] : [first]
    while (batch.length <= FRESH_VALUES) {
      const { value, done } = texts.next()
      if (done) break
      if (value !== first) batch.push(value)
    }
    return batch
  }
}
