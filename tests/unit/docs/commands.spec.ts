import { globSync, readFileSync, readdirSync } from 'node:fs'
import { test } from '@japa/runner'
import { apiDescription } from '#openapi/api'

const ROOT = new URL('../../../', import.meta.url)

/** Members of a command that the framework derives from its decorators. */
interface CommandClass {
  boot(): void
  commandName: string
  args: { argumentName: string }[]
  flags: { flagName: string }[]
}

/** Returns name, arguments and options of every command, as rows of the table. */
async function declared(): Promise<string[]> {
  const rows: string[] = []
  for (const file of globSync('commands/**/*.ts', { cwd: ROOT })) {
    const { default: command } = (await import(new URL(file, ROOT).href)) as {
      default: CommandClass
    }
    command.boot()
    const words = command.args.map(({ argumentName }) => `\`<${argumentName}>\``)
    const options = command.flags.map(({ flagName }) => `\`--${flagName}\``)
    rows.push([`\`${command.commandName}\``, words.join(' '), options.join(', ')].join(' | '))
  }
  return rows.sort()
}

/** Returns the rows of the table on the page. */
function documented(page: string): string[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const cells = line.split('|').map((cell) => cell.trim())
      return cells.slice(1, 4).join(' | ')
    })
    .sort()
}

test.group('docs/reference/commands.md', () => {
  const page = readFileSync(new URL('docs/reference/commands.md', ROOT), 'utf8')

  test('docs/commands.md lists every command with its arguments and options', async ({
    assert,
  }) => {
    assert.deepEqual(documented(page), await declared())
  })

  test('docs/commands.md has a page of the web interface for every command, or a reason', async ({
    assert,
  }) => {
    const web = readFileSync(new URL('docs/guides/web-interface.md', ROOT), 'utf8')
    const table = web.slice(web.indexOf('## Commands and pages'))
    const rows = table
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|').map((cell) => cell.trim()))
    const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word)
    const commands = await declared()
    assert.sameMembers(
      rows.flatMap(([, names]) => quoted(names)),
      commands.map((row) => row.split('`')[1])
    )
    const routes = readdirSync(new URL('start/web/', ROOT))
      .map((file) => readFileSync(new URL(`start/web/${file}`, ROOT), 'utf8'))
      .join('\n')
    for (const [, names, pages, why] of rows) {
      assert.isNotEmpty(pages + why, names)
      for (const path of quoted(pages)) assert.include(routes, `'${path}'`, names)
    }
  })

  test('docs/commands.md has a section about every command', ({ assert }) => {
    const sections = page
      .split('\n')
      .filter((line) => line.startsWith('## '))
      .flatMap((line) => line.slice(3).split(', '))
    const names = documented(page).map((row) => row.split('`')[1])
    assert.includeMembers(sections, names)
  })
})

test.group('Commands in code blocks of the documentation', () => {
  const blocks = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).flatMap((page) => {
    const text = readFileSync(new URL(page, ROOT), 'utf8')
    return [...text.matchAll(/^ *```(?:sh|bash)?\n([\s\S]*?)^ *```$/gm)].map(([, code]) => ({
      page,
      // A backslash at the end continues a line.
      lines: code.replaceAll(/\\\n\s*/g, ' ').split('\n'),
    }))
  })
  const lines = blocks.flatMap(({ page, lines: all }) => all.map((line) => ({ page, line })))

  test('each node ace command exists and has the options', async ({ assert }) => {
    const rows = await declared()
    const known = new Map(
      rows.map((row) => {
        const [name, , options] = row.split(' | ')
        return [name.replaceAll('`', ''), options]
      })
    )
    // Commands of AdonisJS.
    for (const name of ['generate:key', 'migration:status']) known.set(name, '')
    const calls = lines.flatMap(({ page, line }) =>
      [...line.matchAll(/node ace (?:-- )?([a-z][a-z:-]+)([^|&>#]*)/g)].map(([, name, words]) => ({
        page,
        name,
        options: [...words.matchAll(/(?<=\s)--[a-z-]+/g)].map(([option]) => option),
      }))
    )
    assert.isAbove(calls.length, 40)
    for (const { page, name, options } of calls) {
      assert.isTrue(known.has(name), `${page}: ${name}`)
      for (const option of options) {
        assert.include(known.get(name), `\`${option}\``, `${page}: ${name} ${option}`)
      }
    }
  })

  test('each npm script exists', ({ assert }) => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
      scripts: Record<string, string>
    }
    const calls = lines.flatMap(({ page, line }) =>
      [...line.matchAll(/npm run (?:--silent |-s )?([a-z:]+)/g)].map(([, name]) => ({ page, name }))
    )
    assert.isAbove(calls.length, 5)
    for (const { page, name } of calls) assert.property(scripts, name, page)
  })

  test('each call of the API with curl is an operation', ({ assert }) => {
    const { paths } = apiDescription() as { paths: Record<string, object> }
    const patterns = Object.entries(paths).map(([path, operations]) => ({
      regexp: new RegExp(`^${path.replace(/^\/v2/, '').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      methods: Object.keys(operations),
    }))
    const calls = lines.flatMap(({ page, line }) => {
      const [, path] = /\bcurl\b.*?["']?\$(?:\{?API\}?)(\/[^\s"'?]*)/.exec(line) ?? []
      if (path === undefined) return []
      const [, method] = /(?:-X|--request)[= ]?([A-Z]+)/.exec(line) ?? []
      const isPost = /\s(-d|--data\S*|-F)\b/.test(line) && !/\s(-G|--get)\b/.test(line)
      return [{ page, path, method: (method ?? (isPost ? 'POST' : 'GET')).toLowerCase() }]
    })
    assert.isAbove(calls.length, 30)
    for (const { page, path, method } of calls) {
      const isKnown = patterns.some(
        ({ regexp, methods }) => regexp.test(path) && methods.includes(method)
      )
      assert.isTrue(isKnown, `${page}: ${method} ${path}`)
    }
  })
})
