import type { BaseDeps } from '#server/base-deps.ts';
import { makesPictures } from '#server/catalogue/models.ts';
import { keepMadePicture } from '#server/files/made-pictures/keep-made-picture.ts';
import { FileFault } from '#server/files/reading/reading-rules.ts';
import { limitText } from '#server/platform/clean-text.ts';
import { leaveOutPictures, nameFiles } from '../upstream/transport/kept-parts.ts';
import type { AnswerMetadata, MadePicture } from '../upstream/transport/upstream.ts';
import { UpstreamError } from '../upstream/transport/upstream-error.ts';
import type { Run } from './run.ts';

/** Longest name of a picture in UTF-16 code units. */
const MAX_ALT = 300;
const MAX_NAME = 40;

type PictureDeps = Pick<BaseDeps, 'database' | 'storages' | 'clock' | 'log' | 'metrics'>;

/**
 * Makes files of the pictures of an answer, one after the other, and hands each over in its place: what comes behind it waits until it is
 * stored. A picture of a model that makes them is read again in later turns; one that came besides, such as a plot, is not.
 */
export class AnswerPictures {
  private readonly deps: PictureDeps;
  private readonly run: Run;
  private readonly isWanted: boolean;
  private readonly fileIds: (string | null)[] = [];
  private last: Promise<void> | null = null;
  private fault: unknown = null;

  constructor(deps: PictureDeps, run: Run) {
    this.deps = deps;
    this.run = run;
    this.isWanted = makesPictures(run.message.model);
  }

  /** Takes the next step of the answer once the pictures before it are stored: mostly at once. */
  after(step: () => void) {
    if (this.last) this.last = this.last.then(step);
    else step();
  }

  add(picture: MadePicture) {
    this.last = (this.last ?? Promise.resolve()).then(() => this.keep(picture));
  }

  /** Waits until all is handed over; never rejects. */
  async settle(): Promise<void> {
    await this.last;
  }

  /** What is known of the answer, with its pictures named. Throws what went wrong with one of them. */
  nameIn(metadata: AnswerMetadata): AnswerMetadata {
    if (this.fault) throw this.fault;
    const kept = this.isWanted ? nameFiles(metadata.kept, this.fileIds) : leaveOutPictures(metadata.kept);
    return { ...metadata, kept };
  }

  private async keep({ n, data }: MadePicture): Promise<void> {
    const { message, signal } = this.run;
    if (this.fault || this.run.cut) return;
    const shows = this.isWanted ? message.content.replace(/\s+/g, ' ').trim() : '';
    const picture = {
      userId: message.userId,
      messageId: message.id,
      bytes: data,
      name: limitText(shows, MAX_NAME),
      everyTurn: this.isWanted,
    };
    try {
      const kept = await keepMadePicture(this.deps, picture, signal);
      if (!kept) return;
      const { fileId, width, height } = kept;
      this.fileIds[n] = fileId;
      const alt = shows === '' ? {} : { alt: limitText(shows, MAX_ALT) };
      this.run.addPart({ kind: 'image', fileId, width, height, ...alt });
    } catch (error) {
      this.fail(error);
    }
  }

  /** An answer in words does not fail for a plot that is none, and no answer for what its stop kept from being stored. */
  private fail(error: unknown) {
    if (this.run.cut === 'stopped') return;
    const isFileFault = error instanceof FileFault;
    if (isFileFault && !this.isWanted) {
      this.deps.log.warn(
        { err: error, messageId: this.run.message.id },
        'a picture of an answer is left out',
      );
      return;
    }
    this.fault = isFileFault
      ? new UpstreamError('parse', 'what came as a picture is none', { cause: error })
      : error;
  }
}
