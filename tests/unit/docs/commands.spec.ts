import { globSync, readFileSync, readdirSync } from 'node:fs'
import { test } from '@japa/runner'

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
