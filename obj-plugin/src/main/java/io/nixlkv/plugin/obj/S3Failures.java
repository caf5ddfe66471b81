package io.nixlkv.plugin.obj;

import io.nixlkv.plugin.support.object.Answer;
import io.nixlkv.plugin.support.object.Network;
import io.nixlkv.spi.Status;
import io.nixlkv.spi.StorageException;
import java.io.IOException;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What the failures of the SDK and the error codes of S3 mean, and what to change. Sentences never hold secrets. */
final class S3Failures {
    private static final String CHECKSUM_HINT =
            "; a store that does not know checksum headers needs req_checksum = \"required\"";

    private final ObjSettings settings;
    private final Network.Options options;

    S3Failures(ObjSettings settings) {
        this.settings = settings;
        options = new Network.Options(
                "set scheme = \"http\" or write http:// in endpoint_override",
                "ca_bundle",
                settings.virtual()
                        ? ", or set use_virtual_addressing = \"false\", since the bucket is part of the host name now"
                        : "");
    }

    Answer explain(Throwable failure) {
        if (failure instanceof StorageException known) {
            return Answer.failed(known.status(), 0, known.getMessage());
        }
        if (failure instanceof S3Exception answered) {
            return answered(answered);
        }
        Optional<String> network = Network.explain(failure, settings.address(), options);
        if (network.isPresent()) {
            return Answer.failed(Status.UNAVAILABLE, 0, network.get());
        }
        String text = message(failure);
        if (text.contains("Unable to load credentials")) {
            return Answer.failed(
                    Status.DENIED,
                    0,
                    "there are no credentials for " + settings.place() + ": looked at "
                            + settings.identity().source() + "; set access_key and secret_key");
        }
        if (text.contains("different checksum")) {
            return Answer.failed(
                    Status.FAILED,
                    0,
                    "what " + settings.address() + " sent does not match its checksum after " + settings.attempts()
                            + " attempt(s); the object or the connection is damaged");
        }
        if (hasIoCause(failure)) {
            return Answer.failed(
                    Status.UNAVAILABLE,
                    0,
                    "the connection to " + settings.address() + " broke, on each of " + settings.attempts()
                            + " attempt(s): " + text);
        }
        return Answer.failed(Status.FAILED, 0, text);
    }

    /** An answer that is no answer of S3. */
    Answer notS3() {
        return Answer.failed(
                Status.FAILED,
                200,
                settings.address() + " answered 200 without what S3 sends; check that it is an S3 endpoint and no proxy"
                        + " or web page");
    }

    String codeOf(S3Exception answered) {
        AwsErrorDetails details = answered.awsErrorDetails();
        return details == null || details.errorCode() == null ? "" : details.errorCode();
    }

    private Answer answered(S3Exception answered) {
        AwsErrorDetails details = answered.awsErrorDetails();
        String text = details == null || details.errorMessage() == null ? "" : details.errorMessage();
        String region = details == null || details.sdkHttpResponse() == null
                ? ""
                : details.sdkHttpResponse()
                        .firstMatchingHeader("x-amz-bucket-region")
                        .orElse("");
        if (!region.isEmpty() && !region.equals(settings.region()) && answered.statusCode() < 500) {
            return wrongRegion(answered.statusCode(), "\"" + region + "\"");
        }
        return code(codeOf(answered), answered.statusCode(), text);
    }

    /** The meaning of one error code, from an answer or from the list of a deletion. */
    Answer code(String code, int http, String text) {
        String said = (code.isEmpty() ? "" : " " + code) + (text == null || text.isBlank() ? "" : " (" + text + ")");
        return switch (code) {
            case "NoSuchKey" -> Answer.missing();
            case S3Uploads.NO_SUCH_UPLOAD ->
                failed(
                        Status.FAILED,
                        http,
                        "somebody else has ended this upload in " + settings.place()
                                + ", such as a life-cycle rule for incomplete uploads; try again");
            case "NoSuchBucket" ->
                failed(
                        Status.UNAVAILABLE,
                        http,
                        "bucket " + settings.bucket() + " does not exist at " + settings.address()
                                + "; create it or correct bucket");
            case "InvalidAccessKeyId" ->
                failed(
                        Status.DENIED,
                        http,
                        settings.address() + " does not know the access key from "
                                + settings.identity().source() + "; correct it");
            case "SignatureDoesNotMatch" ->
                failed(
                        Status.DENIED,
                        http,
                        settings.address() + " refuses the signature: the secret key from "
                                + settings.identity().source() + " is not that of its access key" + checksumHint());
            case "AccessDenied", "AllAccessDisabled" -> byStatus(http == 200 ? 403 : http, said, "");
            case "ExpiredToken", "InvalidToken", "TokenRefreshRequired" ->
                failed(
                        Status.DENIED,
                        http,
                        "the session token from " + settings.identity().source()
                                + " is not valid (any more); get new keys");
            case "RequestTimeTooSkewed", "RequestExpired" ->
                failed(
                        Status.DENIED,
                        http,
                        "the clock of this machine differs too much from that of " + settings.address()
                                + "; set it by NTP");
            case "PermanentRedirect",
                    "TemporaryRedirect",
                    "AuthorizationHeaderMalformed",
                    "IllegalLocationConstraint" -> wrongRegion(http, "that of the bucket" + said);
            case "SlowDown", "ServiceUnavailable", "RequestLimitExceeded", "Throttling", "TooManyRequests" ->
                throttled(http, said);
            case "InsufficientStorage", "QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded" ->
                failed(Status.NO_SPACE, http, settings.place() + " is full or over its quota:" + said);
            case "EntityTooLarge", "KeyTooLongError", "InvalidObjectName", "XMinioInvalidObjectName" ->
                failed(Status.INVALID, http, settings.address() + " does not take this object:" + said);
            default -> byStatus(http, said, text == null ? "" : text);
        };
    }

    private Answer byStatus(int http, String said, String text) {
        if (text.contains("HTTP request to an HTTPS server") || said.contains("HTTPS server")) {
            return failed(Status.UNAVAILABLE, http, settings.address() + " speaks TLS; set scheme = \"https\"");
        }
        return switch (http) {
            case 301, 302, 307, 308 -> wrongRegion(http, "that of the bucket" + said);
            case 401, 403 ->
                failed(
                        Status.DENIED,
                        http,
                        "the keys from " + settings.identity().source() + " may not do this in " + settings.place()
                                + ":" + said + "; allow s3:ListBucket, s3:GetObject, s3:PutObject, s3:DeleteObject");
            case 404 ->
                failed(
                        Status.UNAVAILABLE,
                        http,
                        "bucket " + settings.bucket() + " was not found at " + settings.address()
                                + "; check endpoint_override and bucket" + said);
            case 429, 503 -> throttled(http, said);
            case 507 -> failed(Status.NO_SPACE, http, settings.place() + " is full:" + said);
            default ->
                failed(
                        http >= 500 && http != 501 ? Status.UNAVAILABLE : Status.FAILED,
                        http,
                        settings.address() + " answered " + http + said
                                + (http < 500 || http == 501
                                        ? checksumHint()
                                        : ", on each of " + settings.attempts() + " attempt(s)"));
        };
    }

    private Answer throttled(int http, String said) {
        return failed(
                Status.THROTTLED,
                http,
                settings.address() + " asks to slow down, on each of " + settings.attempts() + " attempt(s):" + said
                        + "; lower num_threads or raise attempts");
    }

    private Answer wrongRegion(int http, String region) {
        return failed(
                Status.UNAVAILABLE,
                http,
                "bucket " + settings.bucket() + " is not in region " + settings.region() + "; set region to " + region);
    }

    private String checksumHint() {
        return settings.requireChecksum() ? "" : CHECKSUM_HINT;
    }

    private static Answer failed(Status status, int http, String sentence) {
        return Answer.failed(status, http, sentence);
    }

    private static String message(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    private static boolean hasIoCause(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException) {
                return true;
            }
        }
        return false;
    }
}
