/** Values that nobody has asked for, so that a cell tells what the first request for each costs: one to come back to, and these. */
const FRESH = 10

/** A page, and others well before it; all of them so many further ahead. */
export function pagesBefore(page: number, ahead = 0): number[] {
  const step = Math.max(1, Math.floor(page / 2 / FRESH))
  const pages = Array.from({ length: FRESH + 1 }, (_, i) => page - ahead - i * step)
  return pages.filter((one) => one >= 1)
}

/** Texts that a name holds, and so all that lies below it. No two calls give the same. */
export function partsOf(name: string): { next: (first?: string) => string[] } {
  const parts = new Set<string>()
  for (let length = 5; length < name.length; length++) {
    for (let start = 0; start + length <= name.length; start++) {
      parts.add(name.slice(start, start + length))
    }
  }
  return { next: taking(parts.values()) }
}

/** Texts made of numbers that go up. No two calls give the same. */
export function numberedTexts(text: (n: number) => string): { next: (first?: string) => string[] } {
  const texts = (function* () {
    for (let n = 0; ; n++) yield text(n)
  })()
  return { next: taking(texts) }
}

function taking(texts: Iterator<string>): (first?: string) => string[] {
  return (first) => {
    const taken = first === undefined ? [] : [first]
    while (taken.length <= FRESH) {
      const { value, done } = texts.next()
      if (done) break
      if (value !== first) taken.push(value)
    }
    return taken
  }
}
