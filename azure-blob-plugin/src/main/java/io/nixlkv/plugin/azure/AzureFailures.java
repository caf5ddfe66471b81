package io.nixlkv.plugin.azure;

import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobStorageException;
import io.nixlkv.plugin.support.object.Answer;
import io.nixlkv.plugin.support.object.Network;
import io.nixlkv.spi.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** What the failures of the SDK and the error codes of Azure mean, and what to change. Sentences never hold secrets. */
final class AzureFailures {
    private final AzureSettings settings;
    private final Network.Options options;

    AzureFailures(AzureSettings settings) {
        this.settings = settings;
        options = new Network.Options("write http:// in account_url or BlobEndpoint", "ca_bundle", "");
    }

    Answer explain(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BlobStorageException answered) {
                BlobErrorCode code = answered.getErrorCode();
                return code(code == null ? "" : code.toString(), answered.getStatusCode());
            }
        }
        Optional<String> network = Network.explain(failure, settings.account().address(), options);
        if (network.isPresent()) {
            return Answer.failed(Status.UNAVAILABLE, 0, network.get());
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException || cause instanceof UncheckedIOException) {
                return Answer.failed(
                        Status.UNAVAILABLE,
                        0,
                        "the connection to " + settings.account().address() + " broke, on each of "
                                + settings.attempts() + " attempt(s): " + message(deepest(cause)));
            }
            if (cause.getClass().getSimpleName().startsWith("CredentialUnavailable")
                    || cause.getClass().getSimpleName().startsWith("ClientAuthentication")) {
                return Answer.failed(
                        Status.DENIED,
                        0,
                        settings.account().source() + " has no identity for "
                                + settings.account().address() + "; set connection_string, or account_url with a SAS");
            }
        }
        return Answer.failed(Status.FAILED, 0, message(failure));
    }

    /** An answer that is no answer of Azure Storage. */
    Answer notAzure() {
        return Answer.failed(
                Status.FAILED,
                200,
                settings.account().address() + " answered 200 without what Azure Storage sends; check that it is a blob"
                        + " endpoint and no proxy or web page");
    }

    /** The meaning of one error code. */
    Answer code(String code, int http) {
        return switch (code) {
            case "BlobNotFound" -> Answer.missing();
            case "ContainerNotFound", "ContainerBeingDeleted", "ContainerDisabled" ->
                failed(
                        Status.UNAVAILABLE,
                        http,
                        "container " + settings.container() + " does not exist at "
                                + settings.account().address() + " (" + code
                                + "); create it or correct container_name");
            case "AuthenticationFailed", "InvalidAuthenticationInfo" ->
                failed(
                        Status.DENIED,
                        http,
                        settings.account().address() + " refuses "
                                + settings.account().source() + " (" + code
                                + "); correct it, and check this machine's clock");
            case "AuthorizationFailure" -> // a wrong signature at Azurite, a lack of rights or a firewall at Azure
                failed(
                        Status.DENIED,
                        http,
                        settings.account().address() + " refuses "
                                + settings.account().source() + " (" + code
                                + "); correct it, or allow read, write, delete and list");
            case "AuthorizationPermissionMismatch",
                    "InsufficientAccountPermissions",
                    "AuthorizationServiceMismatch",
                    "AuthorizationResourceTypeMismatch",
                    "AuthorizationProtocolMismatch",
                    "AuthorizationSourceIPMismatch" ->
                failed(
                        Status.DENIED,
                        http,
                        settings.account().source() + " may not do this in " + settings.place() + " (" + code
                                + "); allow read, write, delete and list");
            case "ServerBusy", "OperationTimedOut" -> throttled(http, code);
            case "AccountIsDisabled" ->
                failed(
                        Status.UNAVAILABLE,
                        http,
                        "the account of " + settings.account().address() + " is disabled");
            case "OutOfRangeInput", "InvalidResourceName", "InvalidUri", "RequestBodyTooLarge" ->
                failed(
                        Status.INVALID,
                        http,
                        settings.account().address() + " does not take this object (" + code + ")");
            default -> byStatus(code.isEmpty() ? "" : " (" + code + ")", http);
        };
    }

    private Answer byStatus(String said, int http) {
        return switch (http) {
            case 401, 403 ->
                failed(
                        Status.DENIED,
                        http,
                        settings.account().address() + " refuses "
                                + settings.account().source() + said + "; allow read, write, delete and list");
            case 404 ->
                failed(
                        Status.UNAVAILABLE,
                        http,
                        settings.place() + " was not found" + said + "; check the address and container_name");
            case 429, 503 -> throttled(http, said);
            case 507 -> failed(Status.NO_SPACE, http, settings.place() + " is full" + said);
            default ->
                failed(
                        http >= 500 ? Status.UNAVAILABLE : Status.FAILED,
                        http,
                        settings.account().address() + " answered " + http + said
                                + (http >= 500 ? ", on each of " + settings.attempts() + " attempt(s)" : ""));
        };
    }

    private Answer throttled(int http, String said) {
        return failed(
                Status.THROTTLED,
                http,
                settings.account().address() + " asks to slow down, on each of " + settings.attempts() + " attempt(s) "
                        + said + "; lower num_threads or raise attempts");
    }

    private static Answer failed(Status status, int http, String sentence) {
        return Answer.failed(status, http, sentence);
    }

    private static Throwable deepest(Throwable cause) {
        Throwable at = cause;
        while (at.getCause() != null && at.getCause() != at) {
            at = at.getCause();
        }
        return at;
    }

    private static String message(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
