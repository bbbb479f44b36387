import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute and more. */
const LONG =
  /\.property\.test|\/lives\.test|\/fuzz\.test|\/scripts\/start\.test|\/hostile-provider\.test|\/export\.test/;

/** Begins with the files that take long, so that none of them is left over when everything else is done. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
