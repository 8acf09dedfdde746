import { test } from '@japa/runner'
import type { StoredRecord } from '#backends/contract/types'
import type { RequestedSet } from '#dns/wizards/wizard'
import { wizardDraft, type WizardChange } from '#web/editor/wizard_draft'

const APEX = 'example.org'

interface StoredDraft {
  key: string
  action: string
  before: { tag: string; content: string } | null
  after: { name: string; content: string; ttl: number; comment: string; disabled: boolean }
}

/** The draft of the editor in the format of its script. */
interface EditorDraft {
  changes: StoredDraft[]
  find(key: string): StoredDraft | undefined
  addAll(changes: object[]): void
  merge(changes: object[]): void
  toJSON(): Record<string, unknown>[]
}

const stored = (id: number, content: string, disabled = false): StoredRecord => {
  return { id, name: APEX, type: 'TXT', content, ttl: 300, priority: 0, disabled, auth: true }
}

/** Returns the draft of one requested RRset. */
function draftOf(
  content: string,
  there: (StoredRecord & { comment?: string })[],
  more: Partial<RequestedSet> = {}
) {
  const isOwn = (record: { content: string }) => record.content.startsWith('"v=spf1')
  const set = { name: APEX, type: 'TXT', role: 'spf', records: [{ content }], isOwn, ...more }
  return wizardDraft([set], { stored: there, apex: APEX, since: 7 }).changes
}

const briefly = ({ action, id, content, disabled }: WizardChange) => {
  return { action, id, content, disabled }
}

test.group('Drafts of wizards', (group) => {
  let Draft: new (user: string, zone: string) => EditorDraft

  group.setup(async () => {
    const script = '../../../../resources/js/editor/draft.js'
    const module = (await import(script)) as { Draft: typeof Draft }
    Draft = module.Draft
  })
  group.each.setup(() => {
    const values = new Map<string, string>()
    const storage = {
      getItem: (name: string) => values.get(name) ?? null,
      setItem: (name: string, value: string) => values.set(name, value),
      removeItem: (name: string) => values.delete(name),
    }
    const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
    Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
    return () => {
      if (before) Object.defineProperty(globalThis, 'localStorage', before)
      else Reflect.deleteProperty(globalThis, 'localStorage')
    }
  })

  test('a requested disabled record is enabled, and the one in its place is deleted', ({
    assert,
  }) => {
    const existing = [stored(1, '"v=spf1 mx -all"', true), stored(2, '"v=spf1 a -all"')]
    assert.deepEqual(draftOf('"v=spf1 mx -all"', existing).map(briefly), [
      { action: 'update', id: '1', content: undefined, disabled: false },
      { action: 'delete', id: '2', content: undefined, disabled: undefined },
    ])
    assert.deepEqual(draftOf('"v=spf1 mx ~all"', existing).map(briefly), [
      { action: 'update', id: '2', content: '"v=spf1 mx ~all"', disabled: undefined },
    ])
  })

  test('the draft keeps the comment of a record', ({ assert }) => {
    const [change] = draftOf('"v=spf1 mx -all"', [
      { ...stored(1, '"v=spf1 a -all"'), comment: 'of the office' },
    ])
    const draft = new Draft('u', 'z')
    draft.merge([change])
    assert.equal(draft.changes[0].after.comment, 'of the office')
    assert.isUndefined(draft.toJSON()[0].comment)
  })

  test('other edits of a record stay with its original state', ({ assert }) => {
    const draft = new Draft('u', 'z')
    const was = {
      name: '@',
      type: 'TXT',
      content: '"v=spf1 a -all"',
      ttl: 300,
      priority: null,
      disabled: false,
      comment: '',
    }
    const own = { key: '1', action: 'update', id: '1', tag: 'first', was, since: 3 }
    draft.addAll([{ ...own, ttl: 60, comment: 'of the office', content: '"v=spf1 ?all"' }])
    draft.merge(draftOf('"v=spf1 mx -all"', [stored(1, '"v=spf1 a -all"')]))
    assert.containsSubset(draft.toJSON(), [
      {
        key: '1',
        action: 'update',
        id: '1',
        tag: 'first',
        since: 3,
        content: '"v=spf1 mx -all"',
        ttl: 60,
        comment: 'of the office',
      },
    ])
    assert.lengthOf(draft.changes, 1)
  })

  test('a new run only replaces the changes of an earlier run', ({ assert }) => {
    const draft = new Draft('u', 'z')
    const contents = () => draft.changes.map(({ after }) => after.content)
    const typed = { key: 'new 1 2', action: 'create', name: '@', type: 'TXT', content: '"typed"' }
    draft.addAll([typed])
    draft.merge(draftOf('"v=spf1 mx -all"', []))
    draft.merge(draftOf('"v=spf1 a -all"', [], { name: `www.${APEX}` }))
    draft.merge(draftOf('"proof=1"', [], { role: 'verification "proof=1"' }))
    draft.merge(draftOf('"proof=2"', [], { role: 'verification "proof=2"' }))
    draft.merge(draftOf('"v=spf1 mx ~all"', []))
    assert.deepEqual(contents(), [
      '"typed"',
      '"v=spf1 a -all"',
      '"proof=1"',
      '"proof=2"',
      '"v=spf1 mx ~all"',
    ])
    // The content is stored now, and is changed.
    draft.merge(draftOf('"v=spf1 mx -all"', [stored(1, '"v=spf1 ?all"')]))
    assert.deepEqual(contents(), [
      '"typed"',
      '"v=spf1 a -all"',
      '"proof=1"',
      '"proof=2"',
      '"v=spf1 mx -all"',
    ])
    assert.equal(draft.changes.at(-1)?.key, '1')
  })
})
