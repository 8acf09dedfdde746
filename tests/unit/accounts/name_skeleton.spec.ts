import { test } from '@japa/runner'
import { maintainer, externalActor } from '#access/actor'
import { isReservedName, nameSkeleton } from '#accounts/users/name_skeleton'

test.group('Look-alike user names', () => {
  for (const [one, other] of [
    ['admin', 'ADMIN'],
    ['admin', 'аdmin'],
    ['admin', 'АDMIN'],
    ['admin', 'ａｄｍｉｎ'],
    ['admin', 'ad\u00ADmin'],
    ['admin', 'ad\u200Dmin'],
    ['root', 'rοοt'],
    ['scheduler', 'ѕсhеdulеr'],
    ['a b', 'a\u00A0b'],
    ['a-b', 'a–b'],
    ['straße', 'STRAẞE'],
    ['ﬁeld', 'field'],
  ]) {
    test(`${one} and ${JSON.stringify(other)} look alike`, ({ assert }) => {
      assert.equal(nameSkeleton(one), nameSkeleton(other))
    })
  }

  for (const [one, other] of [
    ['ann', 'anna'],
    ['user1', 'userl'],
    ['jose', 'josé'],
    ['a.b', 'a-b'],
    ['анна', 'олег'],
    ['用户', '用人'],
  ]) {
    test(`${one} and ${other} do not look alike`, ({ assert }) => {
      assert.notEqual(nameSkeleton(one), nameSkeleton(other))
    })
  }

  test('the skeleton of a skeleton is itself, and fits into its column', ({ assert }) => {
    for (const name of ['ADMIN', 'Straße', 'ﷺ'.repeat(64), 'ОЛЕГ']) {
      const skeleton = nameSkeleton(name)
      assert.equal(nameSkeleton(skeleton), skeleton)
      assert.isAtMost(skeleton.length, 255)
    }
  })

  for (const name of [
    'maintainer',
    'Scheduler',
    'external',
    'SYSTEM',
    'ѕystem',
    'ＳＥＴＵＰ',
    'review',
  ]) {
    test(`${name} is reserved`, ({ assert }) => {
      assert.isTrue(isReservedName(name))
    })
  }

  test('names of actors are reserved, other names are not', ({ assert }) => {
    for (const { username } of [maintainer(), externalActor()]) {
      assert.isTrue(isReservedName(username), username)
    }
    for (const name of ['admin', 'ann', 'systems', 'out side', 'reviewer']) {
      assert.isFalse(isReservedName(name), name)
    }
  })
})
