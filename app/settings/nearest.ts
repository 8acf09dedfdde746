/**
 * Returns the edit distance between two words: insertions, deletions, replacements and swaps of
 * neighbours count one each.
 */
export function editDistance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const replaced = rows[i - 1][j - 1] + (left[i - 1] === right[j - 1] ? 0 : 1)
      row[j] = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, replaced)
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1)
      }
    }
    rows.push(row)
  }
  return rows[left.length][right.length]
}

/**
 * The candidate with the fewest differences, if it has at most `most` of them.
 */
export function nearest(
  word: string,
  candidates: readonly string[],
  maxDistance = 2
): string | undefined {
  let closest: string | undefined
  let fewest = maxDistance + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= fewest) continue
    const distance = editDistance(word, candidate)
    if (distance < fewest) {
      closest = candidate
      fewest = distance
    }
  }
  return closest
}
