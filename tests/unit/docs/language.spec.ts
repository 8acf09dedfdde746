import { globSync, readFileSync, readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Running text. The glossary and the style guide quote the words that they forbid. */
const PAGES = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).filter(
  (page) => !/STYLE\.md$|glossary\.md$/.test(page)
)
const CATALOGUES = readdirSync(new URL('resources/lang/en/', `file://${ROOT}`))

/** Metaphors, and words with a standard term (docs/STYLE.md). */
const BANNED =
  /\b(whoever|told|tells|beside|believed|glance|sieve|anew|be it|keepers?|nobody is there|looked? over|give back|gives back|takes? back|bring back|so many times)\b/gi
const MAX_WORDS = 35
const MAX_MEDIAN = 16

/** Sentences of running text: without code blocks, tables, headings and markup. */
function sentencesOf(text: string): string[] {
  return text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/^( *\||#).*$/gm, '')
    .replaceAll(/^ *(?:[-*]|\d+\.) +/gm, '\n\n')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`]*`/g, 'code')
    .split(/\n\s*\n/)
    .flatMap((paragraph) =>
      paragraph.replaceAll(/\s+/g, ' ').split(/(?<=[.!?:;])["')*_]* (?=["'(*_]*[\p{Lu}c])/u)
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}/u.test(sentence))
}

const wordsIn = (sentence: string) => sentence.split(/\s+/).filter((word) => /\p{L}/u.test(word))

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

/** Texts of a catalogue; each form of a plural counts by itself. */
function textsOf(file: string): [string, string][] {
  const texts = JSON.parse(readFileSync(`${ROOT}resources/lang/en/${file}`, 'utf8')) as object
  return Object.entries(texts as Record<string, string>).map(([key, text]) => [
    `${basename(file, '.json')}.${key}`,
    text.replaceAll(/\{(\w+), (plural|select), /g, '').replaceAll(/\{\w+(, \w+)*\}/g, 'value'),
  ])
}

test.group('Language of the documentation', () => {
  test('{$self} has no sentence of more than 35 words, and a median of at most 16')
    .with(PAGES)
    .run(({ assert }, page) => {
      const sentences = sentencesOf(readFileSync(ROOT + page, 'utf8'))
      const long = sentences.filter((sentence) => wordsIn(sentence).length > MAX_WORDS)
      assert.deepEqual(long, [])
      const lengths = sentences.map((sentence) => wordsIn(sentence).length)
      if (lengths.length > 0) assert.isAtMost(median(lengths), MAX_MEDIAN)
    })

  test('{$self} has no word of the list of banned words')
    .with(PAGES)
    .run(({ assert }, page) => {
      const text = readFileSync(ROOT + page, 'utf8')
        .replaceAll(/^```[\s\S]*?^```$/gm, '')
        .replaceAll(/`[^`]*`/g, '')
      assert.deepEqual(text.match(BANNED) ?? [], [])
    })
})

test.group('Language of the English catalogue', () => {
  test('{$self} has no banned word and no sentence of more than 35 words')
    .with(CATALOGUES)
    .run(({ assert }, file) => {
      for (const [key, text] of textsOf(file)) {
        assert.deepEqual(text.match(BANNED) ?? [], [], key)
        for (const sentence of sentencesOf(text)) {
          assert.isAtMost(wordsIn(sentence).length, MAX_WORDS, key)
        }
      }
    })
})
